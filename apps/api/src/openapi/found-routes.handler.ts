import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { Type } from '@nestjs/common';
import { type CompiledRoute, ROUTE } from '../http/compiled-route.js';
import type { FoundRoute } from './build-document.js';

/** Every handler that Nest would serve on these controllers, guarded or not. */
export function foundRoutes(controllers: readonly Type[]): FoundRoute[] {
  return controllers.flatMap((controller) => {
    const prefix: unknown = Reflect.getMetadata(PATH_METADATA, controller);
    return handlersOf(controller).map(([handler, method]) => ({
      controller: controller.name,
      handler,
      prefix: typeof prefix === 'string' && prefix !== '/' ? prefix : '',
      route: (Reflect.getMetadata(ROUTE, method) as CompiledRoute | undefined) ?? null,
    }));
  });
}

function handlersOf(controller: Type): (readonly [string, object])[] {
  const prototype: unknown = controller.prototype;
  if (typeof prototype !== 'object' || prototype === null) return [];
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const method: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    const served = typeof method === 'function' && Reflect.getMetadata(METHOD_METADATA, method) !== undefined;
    return served ? [[name, method] as const] : [];
  });
}
