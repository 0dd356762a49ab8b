import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import type { Diff } from '#src/areas/people/rights.ts'
import type { Result } from '#src/contract/call.ts'
import { aside, comma } from '#src/domain/text.ts'
import { useRead, useWrite, type CallError } from '#src/kit/data.ts'
import { Keys } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Window } from '#src/kit/window.tsx'
import { useWorkbench } from '#src/kit/workbench.ts'
import { role as calls, type RoleRow } from '../contract/role.ts'
import './people.css'

const Changes = ({
  title,
  of,
  nameOf,
}: {
  title: string
  of: Diff
  nameOf: (key: string) => string
}) => {
  const say = useSay()
  return (
    <div>
      <h4>
        {title}{' '}
        <span className="p-count">
          +{of.added.length} −{of.removed.length}
        </span>
      </h4>
      <ul tabIndex={0} aria-label={title}>
        {of.added.map(key => (
          <li key={key} data-kind="added">
            {nameOf(key)}
          </li>
        ))}
        {of.removed.map(key => (
          <li key={key} data-kind="removed">
            {nameOf(key)}
          </li>
        ))}
        {of.added.length + of.removed.length === 0 && (
          <li className="m-muted">{say(['没有变化', 'No change'])}</li>
        )}
      </ul>
    </div>
  )
}

type PermsDiff = Result<typeof calls.permsDiff>
const changesNothing = ({ added, removed }: Diff) => added.length + removed.length === 0
/** Whom a change of rights touches, or why it can't be made. */
const Effect = ({ of, nameOf }: { of: PermsDiff; nameOf: (key: string) => string }) => {
  const say = useSay()
  if (of.beyond.length > 0)
    return (
      <p className="p-note" data-tone="bad">
        {say(['你没有这些权限，不能授予或收回：{list}', 'You lack these rights: {list}'], {
          list: of.beyond.map(nameOf).join(say(comma)),
        })}
      </p>
    )
  const more = of.member_count > of.members.length ? '…' : ''
  const names =
    of.members.length > 0 ? say(aside, { it: `${of.members.join(say(comma))}${more}` }) : ''
  return (
    <p className="p-note" data-tone={of.member_count > 0 ? 'warn' : undefined}>
      {changesNothing(of)
        ? say(['权限没有变化', 'Nothing changed'])
        : say(
            [
              '影响 {n} 人{names}，下次操作起生效，无需重新登录。',
              '{n} people{names}; from their next call, without signing in again.',
            ],
            { n: of.member_count, names },
          )}
    </p>
  )
}
const RightsDiff = ({
  of,
  nameOf,
  refused,
}: {
  of: PermsDiff
  nameOf: (key: string) => string
  refused: string
}) => {
  const say = useSay()
  return (
    <>
      <Effect of={of} nameOf={nameOf} />
      <div className="p-lists">
        <Changes
          title={say(['新增权限', 'Added'])}
          of={{ added: of.added, removed: [] }}
          nameOf={nameOf}
        />
        <Changes
          title={say(['移除权限', 'Removed'])}
          of={{ added: [], removed: of.removed }}
          nameOf={nameOf}
        />
      </div>
      {refused && (
        <p className="m-bad" role="alert">
          {refused}
        </p>
      )}
    </>
  )
}
type Conflict = {
  message: string
  theirs: Diff
  mine: Diff
  current: { perms: string[]; version: number }
}
const BothChanged = ({ of, nameOf }: { of: Conflict; nameOf: (key: string) => string }) => {
  const say = useSay()
  return (
    <>
      <p className="p-note" data-tone="warn" role="alert">
        {of.message}
      </p>
      <div className="p-lists">
        <Changes title={say(['对方的更改', 'Theirs'])} of={of.theirs} nameOf={nameOf} />
        <Changes title={say(['我的更改', 'Mine'])} of={of.mine} nameOf={nameOf} />
      </div>
    </>
  )
}
/** Saves a role's rights; where somebody saved meanwhile, `conflict` has both differences. */
const useSave = (row: RoleRow, base: readonly string[], done: () => void) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [save, { isLoading }] = useWrite(calls.setPerms)
  const [conflict, setConflict] = useState<Conflict | undefined>(undefined)
  const [error, setError] = useState('')
  const [saved, setSaved] = useState(false)
  const isSaving = isLoading || saved
  const carry = (perms: string[]) => {
    if (isSaving) return
    save({ id: row.id, version: row.version, perms, base: [...base] }, { quiet: true }).then(
      result => {
        toast(
          say(
            [
              '已保存：新增 {a} 项，移除 {r} 项，{n} 人下次操作起生效',
              'Saved: {a} added, {r} removed; {n} people have it from their next call',
            ],
            { a: result.added.length, r: result.removed.length, n: result.member_count },
          ),
          'success',
        )
        setSaved(true)
        done()
      },
      (fault: CallError) => {
        const data = fault.data as Partial<Conflict> | undefined
        if (fault.status === 409 && data?.theirs && data.mine && data.current)
          setConflict({
            message: fault.message,
            theirs: data.theirs,
            mine: data.mine,
            current: data.current,
          })
        else setError(fault.message)
      },
    )
  }
  return { save: carry, isSaving, conflict, error }
}
/**
 * The difference and the people it touches, before rights are saved. `done` closes it when they
 * are. Where somebody saved meanwhile both differences are shown.
 */
export const SaveRights = ({
  row,
  base,
  perms,
  nameOf,
  close,
  done,
  rebase,
}: {
  row: RoleRow
  base: readonly string[]
  perms: readonly string[]
  nameOf: (key: string) => string
  close: () => void
  done: () => void
  rebase: (current: Conflict['current'], mine: Diff | null) => void
}) => {
  const say = useSay()
  const diff = useRead(calls.permsDiff, { id: row.id, perms: [...perms] })
  const of = diff.data
  const { save, isSaving, conflict, error } = useSave(row, base, done)
  const barred = !of || changesNothing(of) || of.beyond.length > 0
  const again = (mine: Diff | null) => {
    rebase(conflict!.current, mine)
    close()
  }
  return (
    <Window
      title={say(['保存权限：{name}', 'Save rights: {name}'], { name: row.name })}
      close={close}
      stage={`${of !== undefined} ${conflict !== undefined}`}
      actions={
        conflict ? (
          <>
            <Button onClick={() => again(null)}>{say(['放弃我的更改', 'Drop my changes'])}</Button>
            <Button intent="primary" data-autofocus onClick={() => again(conflict.mine)}>
              {say(['在最新权限上应用我的更改', 'Apply mine to the newest'])}
            </Button>
          </>
        ) : (
          <Button
            intent="primary"
            data-autofocus
            loading={isSaving}
            disabled={barred}
            onClick={() => {
              if (!barred) save(of.perms)
            }}
          >
            {say(['确认保存', 'Save'])}
            <Keys keys="↵" />
          </Button>
        )
      }
    >
      {conflict ? (
        <BothChanged of={conflict} nameOf={nameOf} />
      ) : (
        <Answer of={diff} lines={6}>
          {of => <RightsDiff of={of} nameOf={nameOf} refused={error} />}
        </Answer>
      )}
    </Window>
  )
}
