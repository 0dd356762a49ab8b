import { z } from 'zod'
import { TRACKING_MAX } from '#src/areas/shipping/courier.ts'
import { columnNames } from '#src/areas/shipping/shipHead.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { cents, id, keyText, lines, phoneText, text, version } from '#src/contract/shapes.ts'
import { orderStatus } from './orderRow.ts'
import type { OrderPage } from './shared.ts'

/**
 * Lines of a sheet that go in one call: each call is done or not as a whole, so it ends within the
 * seconds of a transaction (db/database.ts), also where the machine is busy with other things.
 */
export const SHIP_LINES = 10
/** A file of 2 MB, as base64 in JSON. */
const FILE_MAX = 3 * 1024 * 1024
const qty = z.int().min(1).max(9999)
const items = z.array(z.object({ id, qty })).min(1).max(100)
const reason = lines(255, 2)
const tracking_no = text(TRACKING_MAX + 20, 4)
const changed = z.object({ id, status: orderStatus, version })

/**
 * A courier in use; `pattern` is the form of its numbers (areas/shipping/courier.ts), so that a number
 * tells its courier while it is typed.
 */
const courierRow = z.object({
  id,
  code: z.string(),
  name: z.string(),
  pattern: z.string(),
  sample: z.string(),
  is_default: z.boolean(),
  sort: z.int(),
  status: z.enum(['on', 'off']),
})
export type CourierRow = z.output<typeof courierRow>

/**
 * A line of a sheet, as it would be shipped: `ready`, `already` shipped by this very number, what is
 * wrong with it, or `skipped` as it is no parcel (the head once more, a sum).
 */
const sheetLine = z.object({
  row: z.int(),
  order_no: z.string(),
  tracking_no: z.string(),
  state: z.enum(['ready', 'already', 'bad', 'skipped']),
  /** What is wrong and how to mend it; of a ready line what deserves a look. */ text: z.string(),
  order_id: id.nullable(),
  courier_id: id.nullable(),
  courier_name: z.string(),
  title: z.string(),
  qty: z.int(),
  items: items.nullable(),
})
export type SheetLine = z.output<typeof sheetLine>
/** Columns of one meaning, of which a person chooses one; the likeliest stands first. */
const sheetQuestion = z.object({
  column: z.enum(columnNames),
  title: z.string(),
  choices: z.array(
    z.object({ /** Its column, from 0. */ at: z.int(), head: z.string(), sample: z.string() }),
  ),
})
export type SheetQuestion = z.output<typeof sheetQuestion>
const place = z.int().min(0).max(99).optional()
/** Lines of a file that hold something, and what they are; all of them together are `all`. */
const counted = z.object({
  all: z.int(),
  above: z.int(),
  /** Further lines of cells that hold line ends. */ inside: z.int(),
  read: z.int(),
})
export type SheetCount = z.output<typeof counted>

/**
 * Where calls of a page lie: a list `elist`, its detail page `elist/Detail`. Permissions are the
 * page's own: `order.elist.ship`, `order.elist.Detail.ship`.
 */
export type ShipPage = OrderPage | `${OrderPage}/${'detail' | 'Detail'}`
export const placeOf = (page: ShipPage) => ({
  path: `order/${page}`,
  permit: (verb: string) => `order.${page.replace('/', '.')}.${verb}`,
})

/** What sends parcels: a page takes those of these calls that it has. */
export const shipCalls = (page: ShipPage) => {
  const { path, permit } = placeOf(page)
  return {
    couriers: read(`${path}/couriers`, ['可选快递', 'Couriers'], {
      input: z.object({}),
      output: z.object({ list: z.array(courierRow) }),
      touches: ['courier'],
      scope: 'all',
      permit: permit('view'),
    }),
    /**
     * One parcel: all that may go unless items are named. Without a courier the number tells it.
     * `anyway`: another open order goes under the same number, and that is meant.
     */
    ship: write(`${path}/ship`, ['发货', 'Ship'], {
      input: z.object({
        id,
        version,
        courier_id: id.optional(),
        tracking_no,
        items: items.optional(),
        anyway: z.boolean().optional(),
      }),
      output: z.object({
        ...changed.shape,
        shipment_id: id,
        courier_name: z.string(),
        tracking_no: z.string(),
      }),
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: permit('ship'),
    }),
    /** Another number or courier for a parcel, within a day. `version` is the parcel's. */
    editTracking: write(`${path}/editTracking`, ['修改物流单号', 'Change a tracking number'], {
      input: z.object({
        id,
        shipment_id: id,
        version,
        courier_id: id.optional(),
        tracking_no,
        reason,
        anyway: z.boolean().optional(),
      }),
      output: z.object({ ...changed.shape, shipment_id: id }),
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: permit('editTracking'),
    }),
    /**
     * Reads a sheet of tracking numbers and says of each line what would become of it. Ships
     * nothing.
     */
    readSheet: write(`${path}/readSheet`, ['检查发货表格', 'Check a sheet of parcels'], {
      input: z.object({
        /** The file, .xlsx or .csv, as base64. */ file: z
          .base64()
          .min(1)
          .max(FILE_MAX - 1024),
        /** The name of another sheet than the one that was read first. */
        sheet: keyText(100).optional(),
        /** The answers to its questions. */
        columns: z
          .object({ order_no: place, tracking_no: place, courier: place, items: place })
          .optional(),
      }),
      output: z.object({
        /** What is wrong with the file as a whole. */ fault: z.string().nullable(),
        /** The sheet that was read, and all that could be. */ sheet: z.string(),
        sheets: z.array(z.string()),
        /** To be answered before anything is read. */ questions: z.array(sheetQuestion),
        notes: z.array(z.string()),
        counted: counted.nullable(),
        lines: z.array(sheetLine),
      }),
      touches: [],
      scope: placed('order'),
      permit: permit('batchShip'),
      quiet: true,
      // It waits for others' files: no transaction may wait with it.
      apart: true,
      body_max: FILE_MAX,
    }),
    /**
     * Ships lines of a sheet: each by itself, the bad ones say why. A line that was shipped already
     * ships nothing twice.
     */
    batchShip: write(`${path}/batchShip`, ['批量导入发货', 'Ship from a sheet'], {
      input: z.object({
        lines: z
          .array(
            z.object({
              row: z.int().min(1).max(1_000_000),
              order_id: id,
              courier_id: id,
              tracking_no,
              items: items.nullable(),
            }),
          )
          .min(1)
          .max(SHIP_LINES),
      }),
      output: z.object({
        lines: z.array(
          z.object({
            row: z.int(),
            result: z.enum(['shipped', 'already', 'failed']),
            text: z.string(),
          }),
        ),
      }),
      touches: ['order'],
      scope: placed('order'),
      permit: permit('batchShip'),
    }),
  }
}
export type ShipCalls = ReturnType<typeof shipCalls>

/**
 * What can be another for a parcel that has not left: what is not named stays. Fields that a role
 * sees masked are typed anew or left.
 */
const receiver = z.object({
  name: text(30).optional(),
  phone: phoneText(30, 5).optional(),
  area: text(60, 2).optional(),
  address: text(120, 2).optional(),
})
/**
 * Another receiver, until the first parcel has left. `verb` is what the page's permission calls it.
 */
export const addressCalls = (
  page: ShipPage,
  verb: 'editAddress' | 'editReceiver' = 'editAddress',
) => {
  const { path, permit } = placeOf(page)
  return {
    /** Warns, unless `anyway`, where nothing is delivered or the freight would be another. */
    editAddress: write(`${path}/${verb}`, ['修改收货信息', 'Edit recipient'], {
      input: z.object({ id, version, receiver, reason, anyway: z.boolean().optional() }),
      output: z.object({ ...changed.shape, freight_cents: cents.nullable() }),
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: permit(verb),
    }),
  }
}
export type AddressCalls = ReturnType<typeof addressCalls>
