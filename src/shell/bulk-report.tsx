import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { bulkReport } from '#commands/shell.ts'
import { download } from '#src/kit/download.ts'
import { LayerFocus, useReturnFocus } from '#src/kit/focus.ts'
import { When } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { csvOf, tallyOf, type Bulk } from './bulk.ts'
import { useDesk } from './desk.ts'
import { actionById } from './registry.ts'

/** What became of a batch: failures by their reason, to be tried again or taken along as a file. */
const Report = ({ of, close }: { of: Bulk; close: () => void }) => {
  const say = useSay()
  const now = useLang()
  const desk = useDesk()
  const { rows, ok, failed, reasons } = tallyOf(of)
  const action = actionById(of.action)
  const title = action ? titleIn(action, now) : of.action
  useReturnFocus()
  // What failed is still selected in its list: those rows are as they are now, and not as they were
  // sent.
  const again = desk.failedOf(of)
  return (
    <Dialog isOpen title={titleIn(bulkReport, now)} onClose={close} style={{ width: 560 }}>
      <DialogBody>
        <p>
          <b>{title}</b>{' '}
          <span className="m-muted">
            <When at={of.at} />
          </span>
        </p>
        <p className="m-num" role="status">
          {say(
            [
              '共 {rows} 项：完成 {ok} 项，失败 {failed} 项',
              '{rows} in all: {ok} done, {failed} failed',
            ],
            { rows, ok: ok.length, failed: failed.length },
          )}
          {rows > ok.length + failed.length &&
            say(['，未发送 {n} 项', ', {n} not sent'], { n: rows - ok.length - failed.length })}
        </p>
        {reasons.length > 0 && (
          <table className="s-reasons">
            <thead>
              <tr>
                <th>{say(['失败原因', 'Why it failed'])}</th>
                <th className="m-num">{say(['项数', 'Rows'])}</th>
              </tr>
            </thead>
            <tbody>
              {reasons.map(([msg, n], i) => (
                <tr key={i}>
                  <td>{msg}</td>
                  <td className="m-num">{n.toLocaleString()}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {failed.length > 0 && (
          <p className="m-muted">
            {again.length > 0
              ? say([
                  '失败的项仍在列表中选中，可直接重试。',
                  'What failed is still selected in the list.',
                ])
              : say([
                  '回到该列表后，选中失败的项再重试。',
                  'Go back to the list to try what failed again.',
                ])}
          </p>
        )}
        <LayerFocus />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button
              onClick={() =>
                download(`${title}-${of.id.slice(0, 8)}.csv`, csvOf(of, now), 'text/csv')
              }
            >
              {say(['下载报告', 'Download the report'])}
            </Button>
            {action && again.length > 0 && (
              <Button
                intent="primary"
                onClick={() => {
                  close()
                  void desk.run(action, again)
                }}
              >
                {say(['只重试失败的 {n} 项', 'Retry the {n} that failed'], { n: again.length })}
              </Button>
            )}
            <Button autoFocus onClick={close}>
              {say(['关闭', 'Close'])}
            </Button>
          </>
        }
      />
    </Dialog>
  )
}
const NoReport = ({ close }: { close: () => void }) => {
  const say = useSay()
  const now = useLang()
  useReturnFocus()
  return (
    <Dialog isOpen title={titleIn(bulkReport, now)} onClose={close}>
      <DialogBody>
        <p className="m-muted">
          {say([
            '还没有批量操作。选中多行后执行的批量操作，结果会在这里。',
            'No batch yet. What becomes of a batch is told here.',
          ])}
        </p>
        <LayerFocus />
      </DialogBody>
    </Dialog>
  )
}
/** The report of the last batch, or word that there was none. */
export const BulkReport = ({ of, close }: { of: Bulk | undefined; close: () => void }) =>
  of ? <Report of={of} close={close} /> : <NoReport close={close} />
