import { Module, type DynamicModule } from '@nestjs/common';
import { builtInTools, type BuiltInToolOptions } from './built-in-tools.js';

/** Token of the list of built-in tools. */
export const BUILT_IN_TOOLS = Symbol('wrongstack.built-in-tools');

@Module({})
export class ToolsModule {
  static forRoot(options: BuiltInToolOptions): DynamicModule {
    return {
      module: ToolsModule,
      providers: [{ provide: BUILT_IN_TOOLS, useFactory: () => builtInTools(options) }],
      exports: [BUILT_IN_TOOLS],
    };
  }
}
