import { Dialog, DialogBody, ProgressBar } from '@blueprintjs/core'
import { Confirm } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import { useDispatch } from 'react-redux'
import type { Result } from '#src/contract/call.ts'
import { dispatchRead, type CallError } from '#src/kit/data.ts'
import { LayerFocus, useReturnFocus } from '#src/kit/focus.ts'
import { Badge } from '#src/kit/show.tsx'
import { Failed } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { logs } from '../contract/logs.ts'

type Verified = Result<typeof logs.verify>
const faults = {
  changed: ['内容被改动', 'was changed'],
  deleted: ['被删除', 'was deleted'],
  inserted: ['是事后插入的', 'was slipped in'],
  seal: ['封存记录被改动', 'a seal was changed'],
} as const
/** Where the log differs from its seals first, or that it is whole. */
const Verdict = ({
  of: { broken },
  seals,
  rows,
}: {
  of: Verified
  seals: number
  rows: number
}) => {
  const say = useSay()
  if (!broken)
    return (
      <p>
        <Badge tone="good" icon={Confirm}>
          {say(['完整', 'Whole'])}
        </Badge>{' '}
        {say(['{rows} 行与 {seals} 份封存一致', '{rows} rows agree with {seals} seals'], {
          rows: rows.toLocaleString(),
          seals,
        })}
      </p>
    )
  const why = say(faults[broken.kind])
  return (
    <p className="m-bad">
      <b>
        {broken.row_id === null
          ? say(['第 {n} 份封存对不上：{why}', 'Seal {n} does not fit: {why}'], {
              n: broken.seal_id,
              why,
            })
          : say(['发现异常：第 {n} 行{why}', 'Row {n} {why}'], { n: broken.row_id, why })}
      </b>
    </p>
  )
}
const SoFar = ({ rows, last }: { rows: number; last: Verified | undefined }) => {
  const say = useSay()
  return (
    <>
      <p>
        {say(['已核对 {rows} 行', '{rows} rows so far'], {
          rows: rows.toLocaleString(),
        })}
      </p>
      <ProgressBar
        intent="primary"
        animate={false}
        stripes={false}
        value={last?.head ? Math.min(1, (last.next ?? 0) / last.head.seal_id) : 0}
      />
    </>
  )
}
/** Goes through all seals, a stretch a call, and says whether the log is as it was written. */
export const VerifyLog = ({ close }: { close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  const dispatch = useDispatch()
  const [at, setAt] = useState<{ seals: number; rows: number; last?: Verified }>({
    seals: 0,
    rows: 0,
  })
  const [failed, setFailed] = useState<CallError | undefined>(undefined)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let live = true
    setFailed(undefined)
    const go = async () => {
      let sum = { seals: 0, rows: 0 }
      for (let after: number | null = 0; after !== null && live;) {
        const last: Verified = await dispatchRead(dispatch as never, logs.verify, { after }, true)
        sum = { seals: sum.seals + last.seals, rows: sum.rows + last.rows }
        if (live) setAt({ ...sum, last })
        after = last.broken ? null : last.next
      }
    }
    go().catch((error: CallError) => {
      if (live) setFailed(error)
    })
    return () => {
      live = false
    }
  }, [dispatch, round])
  const { last } = at
  const over = last !== undefined && (last.next === null || last.broken !== null)
  return (
    <Dialog
      isOpen
      onClose={close}
      title={say(['校验操作日志', 'Verify the operation log'])}
      canOutsideClickClose
    >
      <DialogBody>
        {failed ? (
          <Failed error={failed} retry={() => setRound(round + 1)} />
        ) : (
          <div className="m-ask" role="status">
            {over ? (
              <Verdict of={last} seals={at.seals} rows={at.rows} />
            ) : (
              <SoFar rows={at.rows} last={last} />
            )}
            {last && (
              <p className="m-muted">
                {say(
                  [
                    '最近一分钟内的 {n} 行尚未封存。',
                    '{n} rows of the last minute are not sealed yet.',
                  ],
                  { n: last.unsealed },
                )}
              </p>
            )}
            {last?.head && (
              <div>
                <span className="m-label">
                  {say([
                    '最新封存的指纹（另行保存，日后可用 npm run verify-log 核对）',
                    'Hash of the newest seal (keep it elsewhere; npm run verify-log asks for it)',
                  ])}
                </span>
                <code className="m-num" style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
                  {last.head.hash}
                </code>
              </div>
            )}
          </div>
        )}
        <LayerFocus />
      </DialogBody>
    </Dialog>
  )
}
