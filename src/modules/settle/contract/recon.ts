import { z } from 'zod'
import {
  billChannels,
  diffs,
  fetchedForms,
  fetchStates,
  itemKinds,
  itemStates,
  methods,
  type BillChannel,
  type Diff,
  type FetchedForm,
  type FetchState,
  type ItemKind,
  type ItemState,
  type Method,
} from '#src/areas/reconcile/reconcile.ts'
import { callsOf } from '#src/contract/record.ts'
import { cents, id, keysOf, keyText, lines, searched, unix, version } from '#src/contract/shapes.ts'

/** `YYYY-MM-DD`, Shanghai; there is nothing of a text that names no day. */
const day = keyText(10, 10)
const n = z.int().min(0)
const FILE_MAX = 5 * 1024 * 1024
const channel = keysOf<BillChannel>(billChannels)
const diff = keysOf<Diff>(diffs)
const status = keysOf<ItemState>(itemStates)
/** A payment as the bill and as we have it. */
export const reconRow = z.object({
  id,
  version,
  view: z.literal('recon'),
  day: z.string(),
  channel,
  kind: keysOf<ItemKind>(itemKinds),
  at: unix,
  our_no: z.string(),
  channel_no: z.string(),
  /** What the bill calls it, where we have no kind for it. */
  word: z.string(),
  our_cents: cents.nullable(),
  channel_cents: cents.nullable(),
  diff,
  status,
  order_no: z.string(),
  owner: z.string(),
  owner_id: id.nullable(),
  method: keysOf<Method>(methods).nullable(),
  note: z.string(),
  resolver: z.string(),
  resolved_at: unix.nullable(),
  txn_no: z.string(),
})
export type ReconRow = z.output<typeof reconRow>
/** A bill of a day that the channel is asked for. */
const fetchRow = z.object({
  form: keysOf<FetchedForm>(fetchedForms),
  state: keysOf<FetchState>(fetchStates),
  /** Why it is not there. */ answer: z.string(),
  tries: n,
  /** When it is asked for next; null once it is there, or left to a person. */
  ask_at: unix.nullable(),
  fetched_at: unix.nullable(),
})
export type FetchRow = z.output<typeof fetchRow>

const call = callsOf('settle/flow', { touches: ['recon_item'], rows: 'recon_item' })
const view = 'settle.flow.view'
/** Bills of channels beside what we have. */
export const recon = {
  items: call.lists('items', ['对账明细', 'Items of bills'], {
    filters: {
      day: day.optional(),
      channel: channel.optional(),
      diff: diff.optional(),
      status: status.optional(),
      mine: z.boolean().optional(),
      no: searched(64).optional(),
    },
    row: reconRow,
    permit: view,
  }),
  /** What the bills of a day come to; without one, of the last day that has a bill. */
  billDay: call.read('billDay', ['当日对账结果', 'How a day’s bills match'], {
    input: z.object({ day: day.optional() }),
    output: z.object({
      day: z.string(),
      bills: z.array(
        z.object({
          id,
          channel,
          rows: n,
          in_cents: cents,
          out_cents: cents,
          fee_cents: cents,
          by: z.string(),
          created_at: unix,
        }),
      ),
      fetches: z.array(fetchRow),
      /** Shares of that day that stand in bills of merchants, and not in this one. */
      shares_elsewhere: n,
      counts: z.array(z.object({ diff, n, open: n, gap_cents: cents })),
    }),
    permit: view,
  }),
  /** Reads a file in the thread for files; its rows wait until they are imported. */
  readBill: call.write('readBill', ['检查账单', 'Check a bill'], {
    input: z.object({ day, bill_file: z.base64().min(1).max(FILE_MAX) }),
    output: z.object({
      /** Null where the file is sound. */ fault: z.string().nullable(),
      bill_id: id.nullable(),
      channel: channel.nullable(),
      rows: n,
      duplicates: n,
      in_cents: cents,
      out_cents: cents,
      fee_cents: cents,
    }),
    permit: 'settle.flow.importBill',
    scope: { none: 'A file of the person who reads it, of no row yet' },
    touches: [],
    quiet: true,
    apart: true,
    body_max: FILE_MAX + 4096,
  }),
  importBill: call.write('importBill', ['导入账单', 'Import a bill'], {
    input: z.object({ bill_id: id }),
    output: z.object({ id, day: z.string(), added: n, duplicates: n, open: n }),
    scope: { rows: 'recon_item', by: {} },
  }),
  autoMatch: call.write('autoMatch', ['自动对账', 'Match a day’s bills'], {
    input: z.object({ day }),
    output: z.object({ changed: n, open: n }),
    scope: { rows: 'recon_item', by: {} },
  }),
  /** Asks the channel for the bills of a day now; those that are there stay. */
  fetchBills: call.write('fetchBills', ['获取账单', 'Fetch bills'], {
    input: z.object({ day: day.optional() }),
    output: z.object({ day: z.string(), asked: n }),
    scope: { rows: 'recon_item', by: {} },
    touches: ['recon_item', 'bill_asked'],
  }),
  resolve: call.changes('resolve', ['处理差异', 'Resolve a difference'], {
    fields: { method: keysOf<Method>(methods), note: lines(255, 2) },
    touches: ['recon_item', 'ledger_ask'],
  }),
}
