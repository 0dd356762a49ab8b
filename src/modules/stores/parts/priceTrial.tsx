import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { Result } from '#src/contract/call.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { useWrite } from '#src/kit/data.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Badge, Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { goods as calls } from '../contract/goods.ts'

export type Trial = Result<typeof calls.batchEditPrice>
type Row = Trial['rows'][number]
const tones = { ok: 'good', in_audit: 'warn', failed: 'bad' } as const

const Prices = ({ of }: { of: Row['prices'] }) => (
  <>
    {of.map(one => (
      <div key={one.name}>
        {one.name} <Money cents={one.from_cents} sign /> → <Money cents={one.to_cents} sign />
      </div>
    ))}
  </>
)
const Rows = ({ rows }: { rows: readonly Row[] }) => {
  const say = useSay()
  return (
    <div
      className="os-trial"
      tabIndex={0}
      role="region"
      aria-label={say(['逐件结果', 'Product by product'])}
    >
      <SmallTable
        head={[
          ['商品', 'Product'],
          ['售价', 'Price'],
          ['结果', 'Result'],
        ]}
        rows={rows}
        keyOf={row => row.id}
        cells={row => [
          row.title || `#${row.id}`,
          <Prices key="prices" of={row.prices} />,
          <Badge key="result" tone={tones[row.result]}>
            {row.text}
          </Badge>,
        ]}
      />
    </div>
  )
}
/**
 * What a batch of prices would do, product by product, before it is done. What another person has to
 * agree to is told apart; what a rule forbids is left out.
 */
export const PriceTrial = ({ trials, close }: { trials: readonly Trial[]; close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  const { toast } = useWorkbench()
  const [run, { isLoading }] = useWrite(calls.batchEditPrice)
  const rows = trials.flatMap(trial => trial.rows)
  const count = (of: readonly Row[], result: Row['result']) =>
    of.filter(row => row.result === result).length
  const may = rows.length - count(rows, 'failed')
  const go = async () => {
    const done: Row[] = []
    for (const { asked, rows } of trials) {
      const expect = rows
        .filter(row => row.result !== 'failed')
        .map(({ id, version }) => ({ id, version }))
      if (expect.length === 0) continue
      const ids = expect.map(one => one.id)
      done.push(...(await run({ ...asked, ids, expect, dry_run: false })).rows)
    }
    toast(
      say(
        [
          '已改 {ok} 件，{audit} 件待审核，{failed} 件未改',
          '{ok} changed, {audit} in audit, {failed} not',
        ],
        {
          ok: count(done, 'ok'),
          audit: count(done, 'in_audit'),
          failed: count(done, 'failed') + count(rows, 'failed'),
        },
      ),
      count(done, 'failed') > 0 ? 'warning' : 'success',
    )
    close()
  }
  return (
    <Dialog
      isOpen
      onClose={close}
      canOutsideClickClose={false}
      title={say(['批量改价试算', 'A trial of new prices'])}
      style={{ width: 760 }}
    >
      <DialogBody>
        <p className="m-subject">
          {say(
            [
              '可改 {ok} 件，须审核 {audit} 件，不可改 {failed} 件',
              '{ok} can, {audit} need an audit, {failed} can’t',
            ],
            {
              ok: count(rows, 'ok'),
              audit: count(rows, 'in_audit'),
              failed: count(rows, 'failed'),
            },
          )}
        </p>
        <Rows rows={rows} />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button onClick={close}>{say(['取消', 'Cancel'])}</Button>
            <Button
              intent="primary"
              autoFocus
              disabled={may === 0}
              loading={isLoading}
              onClick={() => void go().catch(() => {})}
            >
              {say(['确认改价 {n} 件', 'Change {n}'], { n: may })}
            </Button>
          </>
        }
      />
    </Dialog>
  )
}
