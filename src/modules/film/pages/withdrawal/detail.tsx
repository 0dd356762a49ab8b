import { Fragment, useMemo } from 'react'
import { Link, useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import {
  filmWithdrawalActions,
  filmWithdrawalDetailActions as own,
} from '#commands/film/withdrawal.ts'
import { filmWithdrawalDetail as at, filmWithdrawalPage } from '#commands/pages/film.ts'
import type { Result } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Empty, Unanswered } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { withdrawalFile } from '#src/kit/withdrawal-file.tsx'
import { useResult, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { filmWithdrawals as calls } from '../../contract/withdrawal.ts'
import { FrozenOrders, StatementOf, StatementOrders } from '../../parts/Statement.tsx'
import '../../parts/accounts.css'

const actions = [
  ...Object.values(filmWithdrawalActions).filter(action => action.also?.includes(at)),
  ...Object.values(own),
]
const File = withdrawalFile(calls)
type Detail = Result<(typeof calls)['detail']>
const Request = ({ of }: { of: Detail }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const { row } = of
  const rows = useMemo(() => [row], [row])
  useSubject(useMemo(() => ({ rows, total: 1 }), [rows]))
  useExport(own.export, calls.exportStatement, { filters: () => ({ id: row.id }) })
  useResult(own.recheck, ({ difference_cents, lines_difference_cents }) => {
    const off = difference_cents || lines_difference_cents || 0
    toast(
      off === 0
        ? say(['流水已核平', 'The statement is balanced'])
        : say(['相差 ¥{off}', 'It is ¥{off} off'], { off: yuan(off) }),
      off === 0 ? 'success' : 'danger',
    )
    return true
  })
  return (
    <div className="fa-detail">
      <Toolbar actions={actions} rows={rows} />
      <div>
        <article tabIndex={0} aria-label={say(['流水与订单', 'Statement and orders'])}>
          <StatementOf of={of.statement} />
          <FrozenOrders of={of.frozen} />
          <StatementOrders id={row.id} />
        </article>
        <File row={row} />
      </div>
    </div>
  )
}
/** The page of a request, with the statement and the orders that it is made of. */
export default function FilmWithdrawalDetail() {
  const say = useSay()
  const id = Number(new URLSearchParams(useSearch()).get('id'))
  const sound = Number.isInteger(id) && id > 0
  const read = useRead(calls.detail, sound ? { id } : skipToken)
  if (!sound)
    return (
      <Empty title={say(['没有指定提现单', 'No withdrawal is named'])}>
        <Link href={to(filmWithdrawalPage)}>{say(['返回影票提现', 'Back to withdrawals'])}</Link>
      </Empty>
    )
  if (read.currentData)
    return (
      <Fragment key={id}>
        <Request of={read.currentData} />
      </Fragment>
    )
  return <Unanswered of={read} lines={16} />
}
