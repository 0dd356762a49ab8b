import { Button, Dialog, DialogBody } from '@blueprintjs/core'
import { Print } from '@blueprintjs/icons'
import { createPortal } from 'react-dom'
import type { Result } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import { colon, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { useRead } from '#src/kit/data.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Keys } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { batches as calls, type BatchRow } from '../contract/detail.ts'
import './settle.css'

type Whole = Result<typeof calls.statement>
const money = (cents: number | undefined): string => (cents === undefined ? '—' : yuan(cents))
/** The lines of the sum, in the order in which they are taken off. */
const sums = (of: BatchRow): readonly (readonly [Text, string])[] => [
  [['销售额', 'Gross'], money(of.gross_cents)],
  [['减：商户优惠', 'Less merchant discount'], money(of.merchant_discount_cents)],
  [['减：平台佣金', 'Less commission'], money(of.commission_cents)],
  [['减：导购佣金', 'Less guides'], money(of.distributor_cents)],
  [['减：微信手续费', 'Less WeChat fee'], money(of.fee_cents)],
  [['减：退款扣减', 'Less refunds'], money(of.refund_deduct_cents)],
  [['减：抵扣欠款', 'Less debt'], money(of.debt_deduct_cents)],
  [['应结金额（元）', 'Payable (yuan)'], money(of.payable_cents)],
]
const Sheet = ({ of }: { of: Whole }) => {
  const say = useSay()
  const { batch } = of
  return (
    <article className="st-sheet">
      <h2>{say(['结算单', 'Settlement statement'])}</h2>
      <p>
        {batch.no}　{batch.merchant_name}
        <br />
        {say(['结算期间 {from} 至 {to}', 'Period {from} to {to}'], {
          from: batch.period_from,
          to: batch.period_to,
        })}
        <br />
        {say(['收款账户', 'Account'])}
        {say(colon)}
        {of.bank_holder} {of.bank_name} {of.bank_no}
      </p>
      <table>
        <tbody>
          {sums(batch).map(([label, value]) => (
            <tr key={label[0]}>
              <th scope="row">{say(label)}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <thead>
          <tr>
            <th scope="col">{say(['订单', 'Order'])}</th>
            <th scope="col">{say(['商品', 'What'])}</th>
            <th scope="col">{say(['门店', 'Store'])}</th>
            <th scope="col">{say(['售价', 'Price'])}</th>
            <th scope="col">{say(['佣金', 'Commission'])}</th>
            <th scope="col">{say(['退款扣减', 'Refunds'])}</th>
            <th scope="col">{say(['商户所得', 'To the merchant'])}</th>
          </tr>
        </thead>
        <tbody>
          {of.lines.map(line => (
            <tr key={line.id}>
              <td>
                {line.order_no}-{line.unit_no}
              </td>
              <td>{line.title}</td>
              <td>{line.store_name}</td>
              <td>{money(line.price_cents)}</td>
              <td>{money(line.commission_cents)}</td>
              <td>{money(line.gone_merchant_cents)}</td>
              <td>{money(line.merchant_cents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {of.left > 0 && (
        <p>
          {say(['另有 {n} 条明细，见导出文件', '{n} more lines: see the exported file'], {
            n: of.left,
          })}
        </p>
      )}
      <p>
        {batch.posted_at
          ? say(['已入账 {at}，凭证 {no}', 'Posted {at}, entry {no}'], {
              at: timeFull(batch.posted_at).slice(0, 16),
              no: batch.txn_no || '—',
            })
          : say(['未入账，金额以入账时为准', 'Not posted yet: what counts is what is posted'])}
      </p>
    </article>
  )
}
/**
 * The statement of a batch as it will be on paper; Enter prints, which is also how a browser saves
 * it as PDF with the fonts that it has. The paper's own copy is seen by the printer alone.
 */
export const BatchStatement = ({ row, close }: { row: BatchRow; close: () => void }) => {
  const say = useSay()
  const whole = useRead(calls.statement, { id: row.id })
  useReturnFocus()
  const title = say(['结算单 · {no}', 'Statement {no}'], { no: row.no })
  return (
    <>
      <Dialog isOpen title={title} aria-label={title} onClose={close} style={{ width: 860 }}>
        <DialogBody>
          <div
            className="st-paper"
            tabIndex={0}
            role="region"
            aria-label={say(['预览', 'Preview'])}
          >
            <Answer of={whole} lines={12}>
              {of => <Sheet of={of} />}
            </Answer>
          </div>
        </DialogBody>
        <DialogEnd shows close={close}>
          <Button
            autoFocus
            intent="primary"
            icon={<Print />}
            disabled={!whole.data}
            onClick={() => window.print()}
          >
            {say(['打印 / 存为 PDF', 'Print or save as PDF'])}
            <Keys keys="↵" />
          </Button>
        </DialogEnd>
      </Dialog>
      {whole.data &&
        createPortal(
          <div className="st-print" aria-hidden="true">
            <Sheet of={whole.data} />
          </div>,
          document.body,
        )}
    </>
  )
}
