import { Controller, Get } from '@nestjs/common';

@Controller()
export class HealthController {
  /** Alive means that this process answers; it says nothing about what it depends on. */
  @Get('healthz')
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }
}
