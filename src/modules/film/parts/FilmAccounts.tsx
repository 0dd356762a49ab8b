import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { SmallTable } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Badge, Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { filmWithdrawals as calls, type FilmAccountRow as Row } from '../contract/withdrawal.ts'
import './accounts.css'

const figures = [
  ['not_settled_cents', ['未结算', 'Not settled']],
  ['freezing_cents', ['冻结中(结算)', 'On hold']],
  ['balance_cents', ['余额', 'Balance']],
  ['withdrawing_cents', ['提现中', 'Withdrawing']],
  ['withdrawn_cents', ['已提现', 'Withdrawn']],
  ['refunded_cents', ['已退款', 'Refunded']],
  ['fee_cents', ['微信手续费', 'WeChat fee']],
] as const
const total = (rows: readonly Row[], key: (typeof figures)[number][0]) =>
  rows.reduce((all, row) => all + (row[key] ?? 0), 0)
/** Where the money of the owners is, in one line; each owner's own below it on demand. */
export const FilmAccounts = () => {
  const say = useSay()
  const [open, setOpen] = useState(false)
  const { data } = useRead(calls.accounts, {})
  if (!data) return null
  return (
    <section className="fa-accounts" aria-label={say(['影票账户', 'Film accounts'])}>
      <dl>
        {figures.map(([key, title]) => (
          <div key={key}>
            <dt>{say(title)}</dt>
            <dd className="m-num">
              <Money cents={total(data.list, key)} sign />
            </dd>
          </div>
        ))}
      </dl>
      <Button
        variant="minimal"
        size="small"
        aria-expanded={open}
        onClick={() => setOpen(now => !now)}
      >
        {open ? say(['收起', 'Fold']) : say(['各主体账户', 'Accounts by owner'])}
      </Button>
      {open && (
        <div className="fa-each">
          <SmallTable
            head={[['经营主体', 'Owner'], ...figures.map(([, title]) => title)]}
            rows={data.list}
            keyOf={one => one.id}
            cells={one => [
              <span key="name">
                {one.name} {one.frozen && <Badge tone="bad">{say(['已冻结', 'Frozen'])}</Badge>}
              </span>,
              ...figures.map(([key]) => <Money key={key} cents={one[key]} />),
            ]}
          />
        </div>
      )}
    </section>
  )
}
