import { implement } from '#src/server/call/implement.ts'
import { listing, record, turning } from '#src/server/call/record.ts'
import { kiosk } from '../../areas/kiosk/kiosk.table.ts'
import { machine as contract } from './contract.ts'

const kiosks = record(kiosk, {
  object: 'kiosk',
  label: row => row.name,
  keys: ['status'],
  places: { mall: kiosk.mall_id },
})
const list = listing(kiosks, {
  by: kiosk.id,
  where: () => undefined,
  shown: async (_, rows) => [...rows],
})

export const machineServer = implement(contract, {
  lst: list.page,
  disable: async ({ reason, ...one }, context) =>
    kiosks.save(
      context,
      await turning(kiosks.held(context, one), 'off'),
      { status: 'off' },
      reason,
    ),
})
