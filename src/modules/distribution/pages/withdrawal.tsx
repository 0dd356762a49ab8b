import { commissionPayoutActions as actions } from '#commands/distribution/withdrawal.ts'
import { sellerKinds } from '#src/areas/distribution/sellers.ts'
import type { WithdrawalRow as Row } from '#src/contract/withdrawals.ts'
import { textColumn } from '#src/kit/cells.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { withdrawalColumns, withdrawalPage } from '#src/kit/withdrawals.tsx'
import { commissionWithdrawals as calls } from '../contract/withdrawal.ts'

const Level = ({ of }: { of: Row['seller'] }) => {
  const say = useSay()
  if (!of) return null
  return (
    <>
      {say(sellerKinds[of.kind])}
      {of.kind === 'expert' && ` L${of.level_no}`}
    </>
  )
}
/** What says who sells, in the place of the kind of applicant. */
const own: readonly Column<Row>[] = [
  {
    key: 'seller',
    title: ['等级', 'Level'],
    width: 84,
    cell: row => <Level of={row.seller} />,
  },
  {
    ...textColumn('group', ['团队', 'Team'], 96),
    cell: row => row.seller?.group_name || '—',
    words: row => row.seller?.group_name ?? '',
  },
  {
    key: 'balance_after_cents',
    title: ['申请后余额', 'Balance after'],
    width: 116,
    align: 'end',
    cell: row => <Money cents={row.balance_after_cents} />,
  },
  {
    key: 'debt',
    title: ['欠款', 'Owed'],
    width: 96,
    align: 'end',
    cell: row => <Money cents={row.seller?.debt_cents} />,
  },
]
const left = new Set(['owner_kind', 'balance_before_cents'])
const columns = withdrawalColumns.filter(one => !left.has(one.key))
const at = columns.findIndex(one => one.key === 'last_paid')
/** Commission that sellers ask for. */
export default withdrawalPage({
  title: ['佣金提现审核', 'Commission withdrawals'],
  calls,
  actions,
  reveal: actions.revealAccount,
  columns: columns.toSpliced(at, 0, ...own),
})
