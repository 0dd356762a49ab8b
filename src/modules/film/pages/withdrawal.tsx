import { to } from '#commands/command.ts'
import { filmWithdrawalActions as actions } from '#commands/film/withdrawal.ts'
import { filmWithdrawalDetail } from '#commands/pages/film.ts'
import { withdrawalColumns, withdrawalPage } from '#src/kit/withdrawals.tsx'
import { filmWithdrawals as calls } from '../contract/withdrawal.ts'
import { FilmAccounts } from '../parts/FilmAccounts.tsx'

/** Film income that its owners ask for. */
export default withdrawalPage({
  title: ['影票提现', 'Film withdrawals'],
  calls,
  actions,
  reveal: actions.revealAccount,
  columns: withdrawalColumns.filter(one => one.key !== 'owner_kind'),
  head: FilmAccounts,
  opens: row => to(filmWithdrawalDetail, { id: row.id }),
})
