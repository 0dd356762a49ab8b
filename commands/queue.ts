import { BATCH_MAX, REASON_MAX, type AuditVerb } from '#src/areas/audit/audit.ts'
import type { Read, Write } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import { ask, byAccount, type Action, type Me, type Page } from './command.ts'
import { idsOf, one, pageAction, type rowActions } from './record.ts'

/** Why something is sent back or handed on, in words. */
export const words = {
  label: ['说明', 'Reason'],
  max: REASON_MAX,
  min: 2,
  lines: 3,
} as const
/** Rows as they were read. */
export const tasksOf = (rows: readonly { id: number; version: number }[]) => ({
  tasks: rows.map(({ id, version }) => ({ id, version })),
})
type Queued = { id: number; version: number }
type Calls = {
  claim: Write<{ id: number }>
  claimNext: Write<object>
  unclaim: Write<{ ids: number[] }>
  transfer: Write<{ id: number; version: number; admin_id: number; reason: string }>
  auditors: Read
}
type Can<Row> = (verb: AuditVerb) => (row: Row, me: Me) => true | Text
/** The actions by which a queue of applications is claimed and handed on. */
export const claimActions = <Row extends Queued>(
  at: Page,
  row: ReturnType<typeof rowActions<Row>>['row'],
  { calls, can }: { calls: Calls; can: Can<Row> },
) => ({
  claimNext: pageAction(calls.claimNext, ['领取下一条', 'Claim next'], at, {
    key: 'n',
    main: true,
    input: () => ({}),
  }),
  claim: row(calls.claim, ['领取', 'Claim'], {
    key: 'c',
    when: can('claim'),
    input: rows => ({ id: rows[0]!.id }),
  }),
  unclaim: row(calls.unclaim, ['退回队列', 'Return to queue'], {
    key: 'shift+c',
    takes: 'rows',
    most: BATCH_MAX,
    when: can('unclaim'),
    input: idsOf,
  }),
  transfer: row(calls.transfer, ['转交', 'Transfer'], {
    key: 't',
    when: can('transfer'),
    asks: {
      admin: ask.entity({
        label: ['转交给', 'To'],
        find: calls.auditors,
        by: byAccount,
        labelOf: person => `${person.name} ${person.account}`,
      }),
      reason: ask.text(words),
    },
    input: (rows, { admin, reason }) => ({ ...one(rows), admin_id: admin, reason }),
  }),
})
/** How a queue is read: the keys that every audit has; `also` is the page of one of its rows. */
export const readingActions = (
  at: Page,
  also: readonly Page[] = [],
): Record<'zen' | 'back' | 'zoom' | 'after', Action> => {
  const stem = at.permit.replace(/\.view$/, '')
  return {
    zen: pageAction(`${stem}.zen`, ['专注模式', 'Zen mode'], at, { key: 'z' }),
    back: pageAction(`${stem}.back`, ['回到刚才的决定', 'Back to the last decision'], at, {
      key: 'u',
      also,
    }),
    zoom: pageAction(`${stem}.zoom`, ['放大图片', 'Zoom pictures'], at, { key: 'v' }),
    after: pageAction(`${stem}.after`, ['决定之后去哪里', 'Where a decision leads'], at, {
      also,
      asks: {
        where: ask.choice({
          label: ['决定之后', 'After a decision'],
          options: {
            next: ['前往下一条', 'Go to the next one'],
            stay: ['停在这一条', 'Stay with it'],
            list: ['回到列表', 'Back to the list'],
          },
        }),
      },
    }),
  }
}
