import type { ReactNode } from 'react'
import type { z } from 'zod'
import { changeKinds, staffStates } from '#src/areas/wecom/wecom.ts'
import { SmallTable, Words } from '#src/kit/cells.tsx'
import { Badge, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { changeRow, syncRun } from '../contract/wecomShapes.ts'
import './vip.css'

type Run = z.output<typeof syncRun>
type Change = z.output<typeof changeRow>
type Props = { of: { run: Run | null; done: Run | null }; children?: ReactNode }
/** How the sync stands: how far it is, when it was last done, and WeCom's own code where it failed. */
export const SyncState = ({ of: { run, done }, children }: Props) => {
  const say = useSay()
  return (
    <div className="vp-sync" role="status">
      {run?.state === 'running' && (
        <Badge tone="info">
          {say(['同步中 · 已读 {n}', 'Syncing, {n} read'], { n: run.read_n })}
        </Badge>
      )}
      {run?.state === 'failed' && (
        <Badge tone="bad">
          {say(['同步失败 {code}：{why}', 'Sync failed, {code}: {why}'], {
            code: run.errcode,
            why: run.error,
          })}
        </Badge>
      )}
      {done ? (
        <span>
          {say(['上次同步', 'Last sync'])} <When at={done.finished_at} />
        </span>
      ) : (
        <span>{say(['尚未同步', 'Never synced'])}</span>
      )}
      {children}
      {(done?.faults.length ?? 0) > 0 && (
        <Badge tone="warn" title={done!.faults.map(one => `${one.key}：${one.why}`).join('\n')}>
          {say(['{n} 项未采用', '{n} not taken'], { n: done!.faults.length })}
        </Badge>
      )}
    </div>
  )
}
/** A state of a colleague in words, where that is what changed. */
const useValue = () => {
  const say = useSay()
  return ({ kind }: Change, value: string): string =>
    kind === 'state' && Object.hasOwn(staffStates, value)
      ? say(staffStates[value as keyof typeof staffStates])
      : value
}
/** What a sync changed, or what became of one department. */
export const Changes = ({ rows, named = false }: { rows: readonly Change[]; named?: boolean }) => {
  const say = useSay()
  const valueOf = useValue()
  if (rows.length === 0) return <p className="m-muted">{say(['没有变更', 'No changes'])}</p>
  return (
    <SmallTable
      head={[
        ...(named ? ([['对象', 'What']] as const) : []),
        ['变更', 'Change'],
        ['原来', 'Was'],
        ['现在', 'Now'],
        ['时间', 'At'],
      ]}
      rows={rows}
      keyOf={one => one.id}
      cells={one => [
        ...(named ? [one.name] : []),
        <Words key="kind" of={changeKinds[one.kind]} />,
        valueOf(one, one.was) || '—',
        valueOf(one, one.now) || '—',
        <When key="at" at={one.at} />,
      ]}
    />
  )
}
