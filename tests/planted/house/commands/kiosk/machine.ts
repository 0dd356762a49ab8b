import { rowActions } from '#commands/record.ts'
import { kioskRow, machine } from '../../src/modules/kiosk/contract.ts'
import { machines } from '../pages/kiosk.ts'

export const disable = rowActions(machines, kioskRow).disable(machine.disable)
