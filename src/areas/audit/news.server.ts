import { to } from '#commands/command.ts'
import { productDetail, queuePages } from '#commands/pages/audit.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import type { AuditTask } from './audit.table.ts'

/** Where a submission is seen, by what became of it. */
export const seenAt = ({ id, queue, title, state }: AuditTask) =>
  queue === 'product'
    ? to(productDetail, { id })
    : to(queuePages[queue], {
        keyword: title.slice(0, 60),
        ...(state === 'approved' || state === 'rejected' ? { state } : {}),
      })
/** Tells whoever decided first what the second person said. */
export const tellFirst = async (
  by: { tx: Db; staff: Pick<Staff, 'id'>; changed?: WriteContext['changed'] },
  before: AuditTask,
  after: AuditTask,
) => {
  if (before.state !== 'second_audit') return
  await tellPeople(by.tx, {
    to: [before.first_by],
    by: by.staff.id,
    kind: after.state === 'approved' ? 'second_agreed' : 'second_refused',
    about: `audit:${after.id}:${after.version}`,
    facts: { of: after.title, why: after.reason ?? '' },
    address: seenAt(after),
  })
  by.changed?.('message')
}
