import pino, { type Logger } from 'pino'
import { faultOf } from '#src/server/db/faults.ts'

/** Only the lines that say where; the first line of a stack is the message. */
const places = (error: Error) =>
  (error.stack ?? '')
    .split('\n')
    .filter(line => /^\s+at /.test(line))
    .slice(0, 8)
    .map(line => line.trim())

/**
 * An error without what it was about: a database error's message holds the query and every
 * parameter of it, so only its code is kept.
 */
const plainError = (error: unknown): object => {
  if (!(error instanceof Error)) return { type: typeof error }
  const fault = faultOf(error)
  const fromQuery =
    fault !== undefined ||
    error.name === 'DrizzleQueryError' ||
    'query' in error ||
    'params' in error
  return {
    type: error.name,
    ...(fault && {
      code: fault.code,
      kind: fault.kind,
      constraint: fault.constraint,
      table: fault.table,
    }),
    ...(!fromQuery && {
      message: error.message.slice(0, 300),
      code: (error as { code?: unknown }).code,
    }),
    at: places(error),
  }
}

/**
 * JSON lines on standard output, or wherever `to` writes. Secrets are redacted even where nobody
 * should have put them.
 */
export const openLog = (level = 'info', to?: { write: (line: string) => void }): Logger =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: plainError },
      redact: {
        paths: [
          'headers',
          'req.headers',
          'body',
          'req.body',
          'input',
          'password',
          '*.password',
          'token',
          '*.token',
          'authori-zation',
          '*["authori-zation"]',
          'phone',
          '*.phone',
        ],
        censor: '***',
      },
    },
    to ?? pino.destination(1),
  )
