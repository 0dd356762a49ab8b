import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { batches } from '#commands/pages/redeemCode.ts'
import { batchStates } from '#src/areas/redeemCode/redeemCode.ts'
import { useRead } from '#src/kit/data.ts'
import { Badge, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { codeBatches, type BatchRow, type CardStock } from '../contract/index.ts'

type Stock = NonNullable<CardStock>
/** The cards that lack at the worst, now or once every batch in audit is approved too. */
const Lacking = ({ stock: { short, short_with_waiting } }: { stock: Stock }) => {
  const say = useSay()
  if (short > 0)
    return <Badge tone="bad">{say(['最坏缺 {n} 张', '{n} short at worst'], { n: short })}</Badge>
  if (short_with_waiting > 0)
    return (
      <Badge tone="warn">
        {say(['待审核的也通过时缺 {n} 张', '{n} short if all in audit are approved'], {
          n: short_with_waiting,
        })}
      </Badge>
    )
  return <Badge tone="good">{say(['库存足够', 'Enough stock'])}</Badge>
}
/** The stock of an e-card, what this batch and the others give of it at the worst, and which they are. */
export const StockLines = ({ stock }: { stock: Stock }) => {
  const say = useSay()
  const { left, own, approved, waiting, others } = stock
  return (
    <div role="group" aria-label={say(['库存与承诺', 'Stock and commitments'])}>
      <p>
        {say(
          [
            '库存 {left} 张；本批次最多发 {own} 张，其他已通过的批次还要发 {approved} 张，待审核的 {waiting} 张',
            '{left} in stock; this batch gives up to {own}, other approved batches {approved}, batches in audit {waiting}',
          ],
          { left, own, approved, waiting },
        )}{' '}
        <Lacking stock={stock} />
      </p>
      {others.length > 0 && (
        <ul aria-label={say(['发同一张卡的批次', 'Batches that give the same card'])}>
          {others.map(one => (
            <li key={one.id}>
              <Link href={to(batches, { keyword: String(one.id) })}>{one.name}</Link> ·{' '}
              {say(batchStates[one.status])} ·{' '}
              {say(['{n} 张', '{n} cards'], { n: one.n + one.waiting })}
              {one.n > 0 &&
                one.waiting > 0 &&
                say(['（其中 {n} 张待审核）', ' ({n} of them in audit)'], { n: one.waiting })}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
/** The same of a batch that stands, for whoever decides on it; nothing of a card that never runs out. */
export const BatchStock = ({ row }: { row: BatchRow }) => {
  const say = useSay()
  const read = useRead(codeBatches.stock, { id: row.id })
  return (
    <Answer of={read}>
      {({ stock }) =>
        stock && (
          <Section title={say(['电子卡库存', 'Stock of the e-card'])}>
            <StockLines stock={stock} />
          </Section>
        )
      }
    </Answer>
  )
}
