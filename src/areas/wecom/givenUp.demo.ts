import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { World } from '#src/server/demo/step.ts'
import type { Corp } from './corp.demo.ts'
import { faultOfCode } from './wecomFault.ts'
import { wecom_event } from './wecomPort.table.ts'

/** What WeCom told while it answered nothing for hours: somebody has it tried again. */
export const seedGivenUp = (db: Db, { customers }: Corp, { now }: World) =>
  insertRows(
    db,
    wecom_event,
    customers.slice(0, 2).map(({ external_userid }) => ({
      identity: `given up: ${external_userid}`.slice(0, 64),
      event: 'change_external_contact',
      change_type: 'edit_external_contact',
      subject: `ExternalUserID:${external_userid}`,
      fields: {
        Event: 'change_external_contact',
        ChangeType: 'edit_external_contact',
        ExternalUserID: external_userid,
      },
      happened_at: now - 2 * DAY,
      state: 'dead' as const,
      tries: 12,
      next_at: now - DAY,
      fault: faultOfCode(-1).text,
      created_at: now - 2 * DAY,
    })),
  )
