import type { Logger } from 'pino'
import { faultOf } from './faults.ts'

/**
 * Ends this process on a fault that nobody caught, with a last line in the log; but never on a fault
 * of the database: what was asked was rolled back or is unknown, and nothing in this process is
 * broken by it.
 */
export const outlive = (log: Logger): void => {
  const heard = (error: unknown) => {
    const fault = faultOf(error)
    if (fault)
      return log.error({ code: fault.code }, 'a fault of the database was caught by nobody')
    log.fatal({ err: error }, 'the server ends')
    process.exit(1)
  }
  process.on('uncaughtException', heard)
  process.on('unhandledRejection', heard)
}
