import { z } from 'zod'
import { parseInput } from '#src/server/call/parse.ts'
import { invalid } from '#src/server/call/refuse.ts'

/** A partner's own number: letters, digits and the signs that stand in an address as they are. */
export const ownNumber = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/)

/** What a body says; 400 names its faults in both languages. */
export const bodyOf = <T>(schema: z.ZodType<T>, body: unknown): T => {
  const [zh, en] = [parseInput(schema, body, 'zh'), parseInput(schema, body, 'en')]
  if ('input' in zh) return zh.input as T
  const other = 'fields' in en ? en.fields : {}
  throw invalid(
    Object.fromEntries(
      Object.entries(zh.fields).map(([path, fault]) => [path, [fault, other[path] ?? fault]]),
    ),
  )
}
