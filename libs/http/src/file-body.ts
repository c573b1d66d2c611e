import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

/** A body that is a file: its bytes as they are. */
export interface FileBody {
  /** The media types that a client may send. */
  readonly types: readonly string[];
  readonly bytesMax: number;
}

const FILE_BODY = Symbol('file that a route takes as its body');

/** The route takes a file as its body, and reads it by `@FileBytes()`. */
export function TakesFile(file: FileBody, description: string): MethodDecorator {
  return applyDecorators(
    SetMetadata(FILE_BODY, file),
    ApiConsumes(...file.types),
    ApiBody({ required: true, description, schema: { type: 'string', format: 'binary' } }),
  );
}

/** The file that a route takes; undefined for one that takes JSON or nothing. */
export function fileBodyOf(handler: object): FileBody | undefined {
  return Reflect.getMetadata(FILE_BODY, handler) as FileBody | undefined;
}

/** The bytes of the file; none where the request has no body. */
export const FileBytes = createParamDecorator((_: unknown, context: ExecutionContext): Uint8Array => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!(body instanceof Uint8Array)) throw new TypeError('this route takes no file');
  return body;
});
