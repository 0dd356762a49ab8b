import { useEffect, useRef } from 'react'
import { refundTrial } from '#src/areas/audit/audit.ts'
import type { ShownBody } from '#src/contract/product.ts'
import { Money, Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'

/** What a buyer gets back after each number of uses: the shares always sum back to the price. */
export const RefundTrial = ({ body, open }: { body: ShownBody; open: boolean }) => {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) box.current?.focus()
  }, [open])
  if (!body.times_total || body.times_total > 999) return null
  const trial = refundTrial(body.price_cents, body.times_total)
  const shown = trial.length > 14 ? [...trial.slice(0, 7), ...trial.slice(-6)] : trial
  return (
    <div ref={box} tabIndex={-1} style={{ outline: 'none' }}>
      <Section
        title={say(['退款试算', 'Refund trial'])}
        aside={
          <span className="m-muted">{say(['已用 + 可退 = 售价', 'used + refund = price'])}</span>
        }
      >
        <table className="a-table">
          <thead>
            <tr>
              <th>{say(['已用次数', 'Used'])}</th>
              <th className="a-end">{say(['已用金额', 'Used value'])}</th>
              <th className="a-end">{say(['可退', 'Refund'])}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row, i) => (
              <tr key={row.used}>
                <td>
                  {row.used}
                  {i > 0 && shown[i - 1]!.used !== row.used - 1 ? ' ⋯' : ''}
                </td>
                <td className="a-end">
                  <Money cents={row.kept_cents} />
                </td>
                <td className="a-end">
                  <Money cents={row.refund_cents} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    </div>
  )
}
