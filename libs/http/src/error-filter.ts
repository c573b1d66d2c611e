import { HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isUnavailable } from '#concurrency/unavailable';
import {
  ApiError,
  isErrorCode,
  notFound,
  retryLater,
  UNAVAILABLE_RETRY_SECONDS,
  validationFailed,
  type ErrorCode,
} from './api-error.js';

/** The one shape of every error. */
export function errorBody(error: ApiError, requestId: string): string {
  const { code, message, details } = error;
  return JSON.stringify({ code, message, details, request_id: requestId });
}

export function errorHeaders(error: ApiError): Record<string, string> {
  return error.status === 401 ? { ...error.headers, 'WWW-Authenticate': 'Bearer' } : { ...error.headers };
}

/** Turns everything that is thrown into a response of the one shape. */
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const known = toApiError(exception);
    // For an unknown route, `Allow` was set when the request arrived.
    const isWrongMethod = known.details['resource'] === 'route' && reply.hasHeader('Allow');
    const error = isWrongMethod ? new ApiError('method_not_allowed') : known;
    if (error.code === 'internal')
      this.logger.error({ err: exception, request_id: request.id }, 'request failed');
    else if (error.code === 'unavailable') {
      this.logger.warn({ err: exception, request_id: request.id }, 'store unavailable');
    }
    if (reply.raw.headersSent) {
      // Too late for another response: only a cut connection says that this one is incomplete.
      reply.raw.destroy();
      return;
    }
    // A response that failed before its first byte may have left its encoding behind.
    reply.raw.removeHeader('Content-Encoding');
    void reply
      .removeHeader('Content-Encoding')
      .code(error.status)
      .headers(errorHeaders(error))
      .type('application/json; charset=utf-8')
      .send(errorBody(error, request.id));
  }
}

/** The response to anything thrown. An unknown error is a fault of ours; the response says nothing about it. */
export function toApiError(exception: unknown): ApiError {
  if (exception instanceof ApiError) return exception;
  if (exception instanceof HttpException) return fromStatus(exception.getStatus(), exception);
  if (!(exception instanceof Error)) return new ApiError('internal', {}, { cause: exception });
  const { refusal, code, details, statusCode } = exception as Error & Record<string, unknown>;
  // The libraries below know no HTTP, so what they refuse is recognised by its shape.
  if (refusal === true && isErrorCode(code)) {
    return new ApiError(code, isRecord(details) ? details : {}, {
      message: exception.message,
      cause: exception,
    });
  }
  if (isUnavailable(exception)) return retryLater('unavailable', UNAVAILABLE_RETRY_SECONDS);
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return badPath();
  if (exception.name === 'FastifyError' && typeof statusCode === 'number')
    return fromStatus(statusCode, exception);
  return new ApiError('internal', {}, { cause: exception });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The router cannot read the path, as of an absolute address without a host. */
function badPath(): ApiError {
  return validationFailed([{ path: 'path', message: 'is not a path' }]);
}

/** The codes of errors that Nest and Fastify throw: our own code throws `ApiError`. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'malformed_request',
  408: 'request_timeout',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  431: 'headers_too_large',
};

function fromStatus(status: number, cause: Error): ApiError {
  if (status === 404 || status === 405) return notFound('route');
  if (status === 414) return badPath();
  return new ApiError(CODE_OF_STATUS[status] ?? 'internal', {}, { cause });
}
