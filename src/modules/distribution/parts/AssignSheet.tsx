import { Button, Checkbox, TextArea } from '@blueprintjs/core'
import { useState, type KeyboardEvent } from 'react'
import { SmallTable } from '#src/kit/cells.tsx'
import { skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { refusedBy } from '#src/kit/refused.ts'
import { Keys } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Window } from '#src/kit/window.tsx'
import { useWorkbench } from '#src/kit/workbench.ts'
import { ASSIGN_MOST, groupCustomers as calls } from '../contract/groupCustomers.ts'

type Of = { group_id: number; ids: number[] }
type Member = { id: number; name: string; active: boolean; customers: number }

/** What each receiver gets, and whom nobody gets, before anything is done. */
const Preview = ({ of, to }: { of: Of; to: number[] }) => {
  const say = useSay()
  const read = useRead(
    calls.previewAssign,
    to.length > 0 ? { ...of, distributor_ids: to } : skipToken,
  )
  if (to.length === 0)
    return (
      <p className="m-muted">{say(['先选择承接成员', 'Choose the receiving members first'])}</p>
    )
  return (
    <Answer of={read}>
      {({ counts, skipped, moved }) => (
        <>
          <SmallTable
            head={[
              ['成员', 'Member'],
              ['分得', 'Assigned'],
              ['其中原有', 'Already theirs'],
            ]}
            rows={counts}
            keyOf={one => one.id}
            cells={one => [one.name, one.given, one.kept]}
          />
          <p role="status">
            {say(['将转移 {n} 位客户，跳过 {m} 位', '{n} customers will move, {m} skipped'], {
              n: moved,
              m: skipped.length,
            })}
          </p>
          {skipped.length > 0 && (
            <SmallTable
              head={[
                ['跳过的客户', 'Skipped'],
                ['原因', 'Why'],
              ]}
              rows={skipped}
              keyOf={one => one.id}
              cells={one => [one.name, one.why]}
            />
          )}
        </>
      )}
    </Answer>
  )
}
const Receivers = ({
  able,
  to,
  change,
}: {
  able: readonly Member[]
  to: readonly number[]
  change: (to: number[]) => void
}) => {
  const say = useSay()
  return (
    <div className="d-receivers" role="group" aria-label={say(['承接成员', 'Receiving members'])}>
      {able.map((one, at) => (
        <Checkbox
          key={one.id}
          label={say(['{name}（现有 {n}）', '{name} ({n})'], { name: one.name, n: one.customers })}
          checked={to.includes(one.id)}
          data-autofocus={at === 0 || undefined}
          onChange={event =>
            change(
              event.currentTarget.checked ? [...to, one.id] : to.filter(other => other !== one.id),
            )
          }
        />
      ))}
    </div>
  )
}
/** Spreads the chosen customers over members of the team, previewed before it is done. */
export const AssignSheet = ({
  of,
  members,
  close,
}: {
  of: Of
  members: readonly Member[]
  close: () => void
}) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const able = members.filter(one => one.active)
  const [to, setTo] = useState<number[]>(able.map(one => one.id))
  const [reason, setReason] = useState('')
  const [refused, setRefused] = useState('')
  const [run, { isLoading }] = useWrite(calls.averageAssign)
  const some = { ...of, ids: of.ids.slice(0, ASSIGN_MOST) }
  const ready = to.length > 0 && reason.trim().length >= 2
  const go = async () => {
    if (!ready || isLoading) return
    try {
      const done = await run({ ...some, distributor_ids: to, reason: reason.trim() })
      toast(
        say(['已转移 {n} 位客户，{m} 位未动', '{n} customers moved, {m} unchanged'], {
          n: done.ok.length,
          m: done.failed.length,
        }),
        'success',
      )
      close()
    } catch (error) {
      setRefused((await refusedBy(error)).message ?? '')
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.stopPropagation()
    void go()
  }
  return (
    <Window
      title={say(['平均分配 {n} 位客户', 'Assign {n} customers evenly'], { n: some.ids.length })}
      close={close}
      width={560}
      actions={
        <Button intent="primary" loading={isLoading} disabled={!ready} onClick={() => void go()}>
          {say(['分配', 'Assign'])}
          <Keys keys="Ctrl ↵" />
        </Button>
      }
    >
      <div onKeyDown={onKeyDown}>
        {of.ids.length > ASSIGN_MOST && (
          <p className="m-bad">
            {say(['一次最多 {n} 位，只分配前 {n} 位', 'At most {n} at once: the first {n}'], {
              n: ASSIGN_MOST,
            })}
          </p>
        )}
        <Receivers able={able} to={to} change={setTo} />
        <Preview of={some} to={to} />
        <TextArea
          fill
          aria-label={say(['原因', 'Reason'])}
          placeholder={say(['原因（至少 2 个字）', 'Reason, at least 2 characters'])}
          value={reason}
          maxLength={255}
          onChange={event => setReason(event.target.value)}
        />
        {refused && (
          <div className="m-error" role="alert">
            {refused}
          </div>
        )}
      </div>
    </Window>
  )
}
