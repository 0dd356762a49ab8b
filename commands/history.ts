import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { logs as calls } from '#src/modules/system/contract/logs.ts'
import { action, loggedAs, stemOf, to, type Action, type Page } from './command.ts'
import { logs } from './pages/system.ts'

/**
 * "Who changed this": the address of everything that happened to an object, or to one field of it.
 * `object_type` is what the handlers log (areas/log/objects.ts).
 */
export const historyOf = (object_type: string, object_id: number, field?: string): string =>
  to(logs, { object_type, object_id, ...(field === undefined ? {} : { field }) })
/**
 * The same as an action of the rows of a page that says what they are (`page(…, { object: 'city'
 * })`), under the key H.
 */
export const historyAction = (at: Page): Action =>
  action<unknown, unknown, { id: number }>(`${stemOf(at.path)}.objectHistory`, {
    title: '修改历史',
    en: 'Change history',
    key: 'h',
    at,
    on: z.object({ id }),
    takes: 'row',
    permit: calls.objectHistory.permit,
    alias: ['谁改的', '操作日志', 'who changed this'],
    when: row =>
      Boolean(loggedAs(at, row)) || ['这一行还没有可查的改动', 'Nothing of this row is on record'],
    to: rows => historyOf(...loggedAs(at, rows[0]!)!),
  })
