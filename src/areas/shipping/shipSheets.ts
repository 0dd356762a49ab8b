import type { Chosen } from './shipHead.ts'
import { hasParcels, readShipments, type ShipRead } from './shipImport.ts'

type SheetOf = {
  name: string
  rows: readonly (readonly string[])[]
  hidden: readonly number[]
  lines: number
}
/** Which of a file's sheets was read, which ones could be, and what stands in it. */
export type ShipSheets = { sheet: string; sheets: string[]; read: ShipRead }

/**
 * Reads parcels from the sheet that is asked for, else from the first one that has a head for them:
 * instructions may stand before it. `sheets` come with the one first that was open.
 */
export const readShipSheets = (
  sheets: readonly SheetOf[],
  asked: { sheet?: string | undefined; chosen?: Chosen | undefined },
): ShipSheets => {
  const usable = sheets.filter(one => hasParcels(one.rows))
  const wanted = sheets.find(one => one.name === asked.sheet) ?? usable[0] ?? sheets[0]
  if (!wanted) return { sheet: '', sheets: [], read: readShipments([]) }
  return {
    sheet: wanted.name,
    sheets: usable.map(one => one.name),
    read: readShipments(wanted.rows, {
      hidden: wanted.hidden,
      all: wanted.lines,
      ...(asked.chosen && { chosen: asked.chosen }),
    }),
  }
}
