import type { Action } from '#commands/command.ts'
import { refundCan, type RefundLook, type RefundVerb } from '#src/areas/refund/refund.ts'
import { unixNow } from '#src/domain/time.ts'
import type { ListState } from '#src/kit/uselist.ts'
import { usePane, useWorkbench } from '#src/kit/workbench.ts'

/**
 * Carries out a decision on a queue of cases: when it is done, the eye goes on to the next case
 * that can be decided. `asDecided` gives the rows as they are decided on, such as the newer one of
 * the file on screen; undefined where something is still to be chosen.
 */
export const useDecide = <Row extends RefundLook & { id: number }>(
  list: ListState<Row>,
  decisions: readonly (readonly [Action, RefundVerb])[],
  asDecided: (rows: readonly Row[], action: Action) => readonly Row[] | undefined,
) => {
  const workbench = useWorkbench()
  const pane = usePane()
  const waiting = (one: Row) =>
    decisions.some(
      ([, verb]) => refundCan(verb, one, { id: workbench.me.id, now: unixNow() }) === true,
    )
  return (action: Action) => (rows: readonly Row[]) => {
    const decided = rows.length > 0 ? asDecided(rows, action) : undefined
    if (!decided) return
    const later = list.rows.slice(list.rows.findIndex(one => one.id === rows[0]!.id) + 1)
    const next = later.find(waiting) ?? later[0]
    void workbench.run(action, decided, { pane: pane.id }).then(done => {
      if (done && next) list.focus(next.id)
    })
  }
}
