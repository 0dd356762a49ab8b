import { invoiceable, invoiceNoOf, type OrderKind } from '#src/areas/order/order.ts'
import { recount } from '#src/areas/order/orderFacts.server.ts'
import { invoiceCan } from '#src/areas/order/orderVerbs.ts'
import { yuan } from '#src/domain/money.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { answer, heldOrder, logged, staffActor } from './held.ts'

/** Enters the number of the invoice that a buyer asked for. Throws 422 where none is due. */
export const enterInvoice = async (
  { tx, staff, now, log }: WriteContext,
  kinds: readonly OrderKind[],
  { no: typed, ...one }: { id: number; version: number; no: string },
) => {
  const row = await heldOrder(tx, kinds, one, staff)
  const may = invoiceCan(row, row.invoice)
  if (may !== true) throw ruled('no_invoice', may)
  const [no, amount_cents] = [invoiceNoOf(typed), invoiceable(row)]
  const after = await recount(tx, row, {
    event: 'invoice',
    actor: staffActor(staff),
    now,
    memo: `${no} ¥${yuan(amount_cents)}`,
    set: { invoice: { ...row.invoice!, issued: { no, amount_cents, by: staff.name, at: now } } },
  })
  log({
    ...logged(row),
    before: { invoice_no: null },
    after: { invoice_no: no, invoice_cents: amount_cents },
  })
  return { ...answer(after), amount_cents }
}
