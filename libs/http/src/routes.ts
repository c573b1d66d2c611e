import { RequestMethod, type INestApplicationContext } from '@nestjs/common';
import {
  GUARDS_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { bodyKindOf, type ReadingPlan } from './request-reader.js';
import { dryRunQueryOf } from './repeatable-write.js';
import { DeclaredAccess, type RouteAccess } from './access.js';
import { pathRules } from './path-params.js';
import { Shape } from './shape.js';

export interface Route {
  /** `GET`, `POST`, … */
  readonly method: string;
  /** Without the global prefix, parameters as `:month`. */
  readonly path: string;
  /** What the API description calls it: the name of the method. */
  readonly operationId: string;
  readonly handler: object;
  readonly access: RouteAccess | undefined;
  readonly plan: ReadingPlan;
}

type Class = abstract new (...args: never[]) => object;

interface Argument {
  readonly index: number;
  readonly data: unknown;
}

/**
 * Every route of the application.
 * @throws Error naming each route that would be served unguarded or unchecked: one without `@Access`, one whose
 *   body or query has no DTO class at run time (a type-only import erases it, and with it the validation), a path
 *   parameter without a rule, and a guard of its own, which would run after the body was read
 */
export function routesOf(app: INestApplicationContext): Route[] {
  const problems: string[] = [];
  const routes: Route[] = [];
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype === 'function')
        routes.push(...controllerRoutes(metatype as unknown as Class, problems));
    }
  }
  if (problems.length > 0) throw new Error(`these routes cannot be served:\n  ${problems.join('\n  ')}`);
  return routes;
}

function controllerRoutes(controller: Class, problems: string[]): Route[] {
  const prototype = controller.prototype as Record<string, object>;
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  if (Reflect.hasMetadata(GUARDS_METADATA, controller)) problems.push(`${controller.name}: ${OWN_GUARD}`);
  const routes: Route[] = [];
  for (const key of new MetadataScanner().getAllMethodNames(prototype)) {
    const handler = prototype[key];
    if (handler === undefined || !Reflect.hasMetadata(METHOD_METADATA, handler)) continue;
    const report = (problem: string): void => void problems.push(`${controller.name}.${key}: ${problem}`);
    routes.push(readRoute({ controller, key, handler, report }, base));
  }
  return routes;
}

const OWN_GUARD = 'has a guard of its own, which would run after the body was read; make it a global one';

interface Method {
  readonly controller: Class;
  readonly key: string;
  readonly handler: object;
  /** Reports a reason not to serve the route. */
  readonly report: (problem: string) => void;
}

function readRoute(method: Method, base: string): Route {
  const { key, handler, report } = method;
  const path = `/${base}/${Reflect.getMetadata(PATH_METADATA, handler) as string}`;
  const dryRunQuery = dryRunQueryOf(handler);
  const route = {
    method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod],
    path: path.replaceAll(/\/+/g, '/').replace(/(?<=.)\/$/, ''),
    operationId: key,
    handler,
    access: Reflect.getMetadata(DeclaredAccess.KEY, handler) as RouteAccess | undefined,
    plan: {
      path: pathRules(handler),
      query: shapeOf(method, RouteParamtypes.QUERY, '@Query()') ?? (dryRunQuery && Shape.of(dryRunQuery)),
      body: shapeOf(method, RouteParamtypes.BODY, '@Body()'),
      bodyKind: bodyKindOf(handler),
    },
  };
  if (route.access === undefined) report('has no @Access');
  if (Reflect.hasMetadata(GUARDS_METADATA, handler)) report(OWN_GUARD);
  for (const [, name] of route.path.matchAll(/:(\w+)/g)) {
    if (!route.plan.path.has(name!)) report(`:${name} has no rule, such as @UlidParam`);
  }
  return route;
}

/** The shape of a method's body or query; undefined if it takes none. @param what its decorator, as problems name it */
function shapeOf(method: Method, type: RouteParamtypes, what: string): Shape<object> | undefined {
  let shape: Shape<object> | undefined;
  for (const argument of argumentsOf(method, type)) {
    const dto = dtoClass(method, argument);
    if (argument.data !== undefined) method.report(`${what} names a field; declare a DTO class`);
    else if (dto === undefined)
      method.report(
        `${what} has no DTO class at run time; import its class as a value, not by \`import type\``,
      );
    else {
      try {
        shape ??= Shape.of(dto);
      } catch (error) {
        method.report((error as Error).message);
      }
    }
  }
  return shape;
}

function argumentsOf({ controller, key }: Method, type: RouteParamtypes): Argument[] {
  const metadata = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, key) as
    Record<string, Argument> | undefined;
  return Object.entries(metadata ?? {})
    .filter(([name]) => name.startsWith(`${type}:`))
    .map(([, argument]) => argument);
}

/** The compiler leaves `Object` or `Function` for a type that is not a class at run time. */
function dtoClass({ controller, key }: Method, { index }: Argument): Class | undefined {
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, key) as
    unknown[] | undefined;
  const type = types?.[index];
  const builtIn = [Object, Function, String, Number, Boolean, Array] as readonly unknown[];
  return typeof type === 'function' && !builtIn.includes(type) ? (type as unknown as Class) : undefined;
}

const PARAMETER = ':';
const WILDCARD = '*';

/** The methods of each path: for an unknown route, the router does not say why. */
export class KnownPaths {
  private readonly methods = new Map<string, Set<string>>();

  /** @param pattern of the router; one with a wildcard is left out */
  add(pattern: string, methods: string | readonly string[]): void {
    if (pattern.includes(WILDCARD)) return;
    const known = this.methods.get(pattern) ?? new Set();
    for (const method of [methods].flat()) known.add(method);
    this.methods.set(pattern, known);
  }

  /**
   * @param matched the pattern of the route that the router found, if it did: it takes `/things/batch` for `/things/:thing`
   * @returns the methods that the path of an address takes, for `Allow`; `''` where it takes this one, or no route has it
   */
  allowed(url: string, matched: string | undefined): string {
    const path = decodeURI(url.replace(/[?#].*$/s, ''));
    const own = matched === path ? undefined : this.methods.get(path);
    const methods = own ?? (matched === undefined ? this.methodsLike(path) : []);
    return [...methods].sort().join(', ');
  }

  private methodsLike(path: string): ReadonlySet<string> {
    const found = [...this.methods].filter(([pattern]) => isOf(pattern, path));
    return new Set(found.flatMap(([, methods]) => [...methods]));
  }
}

function isOf(pattern: string, path: string): boolean {
  const [parts, given] = [pattern.split('/'), path.split('/')];
  return (
    parts.length === given.length &&
    parts.every((part, at) => (part.startsWith(PARAMETER) ? given[at] !== '' : part === given[at]))
  );
}
