import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { couponPieces } from '#src/areas/coupon/couponWords.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import { timelineKinds, type TimelineKind } from '#src/areas/wecom/timeline.ts'
import {
  addWays,
  customerTypes,
  followStates,
  stages,
  taskKinds,
  transferStates,
  wecomGenders,
} from '#src/areas/wecom/wecom.ts'
import type { Read } from '#src/contract/call.ts'
import type { Relation, syncRun, TimelineEntry } from '#src/contract/wecom.ts'
import { colon } from '#src/domain/text.ts'
import { SmallTable, State, Words, type States } from './cells.tsx'
import { useRead } from './data.ts'
import { usePaneState } from './memory.ts'
import { Badge, Fact, Money, Section, When, type ToneName } from './show.tsx'
import { Answer } from './states.tsx'
import { useSay, wecomSaid } from './text.ts'
import './wecom.css'

type Run = z.output<typeof syncRun>
type SyncProps = { of: { run: Run | null; done: Run | null }; children?: ReactNode }
/** How the sync stands: how far it is, when it was last done, and WeCom's own code where it failed. */
export const SyncState = ({ of: { run, done }, children }: SyncProps) => {
  const say = useSay()
  return (
    <div className="m-wecom-sync" role="status">
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
        <Badge
          tone="warn"
          title={done!.faults.map(one => `${one.key}${say(colon)}${one.why}`).join('\n')}
        >
          {say(['{n} 项未采用', '{n} not taken'], { n: done!.faults.length })}
        </Badge>
      )}
    </div>
  )
}
type Contact = {
  type: keyof typeof customerTypes
  corp_name: string
  gender: keyof typeof wecomGenders
  last_active_at: number | null
  lost_at: number | null
  external_short: string
  synced_at: number
  is_stale: boolean
  refused: { kind: keyof typeof taskKinds; error: string; errcode: number } | null
}
/** What WeCom tells of a customer, how old that is, and what it last refused; among other facts. */
export const ContactFacts = ({ of }: { of: Contact }) => {
  const say = useSay()
  return (
    <>
      <Fact label={say(['类型', 'Kind'])}>
        <Words of={customerTypes[of.type]} />
        {of.corp_name && ` · ${of.corp_name}`}
      </Fact>
      <Fact label={say(['性别', 'Gender'])}>
        <Words of={wecomGenders[of.gender]} />
      </Fact>
      <Fact label={say(['最近沟通', 'Last chat'])}>
        <When at={of.last_active_at} />
      </Fact>
      {of.lost_at !== null && (
        <Fact label={say(['流失时间', 'Lost'])}>
          <When at={of.lost_at} />
        </Fact>
      )}
      <Fact label={say(['外部联系人', 'Id in WeCom'])}>{of.external_short}</Fact>
      <Fact label={say(['资料更新', 'Read'])}>
        <When at={of.synced_at} />
        {of.is_stale && <Badge tone="warn">{say(['超过 24 小时', 'Over 24 h old'])}</Badge>}
      </Fact>
      {of.refused && (
        <Fact wide label={say(['写入失败', 'Refused by WeCom'])}>
          <Words of={taskKinds[of.refused.kind]} />
          {`${say(colon)}${wecomSaid(say, of.refused)}`}
        </Fact>
      )}
    </>
  )
}
const followLooks: States<Relation['status']> = {
  following: { text: followStates.following, tone: 'good' },
  deleted_by_customer: { text: followStates.deleted_by_customer, tone: 'warn' },
  deleted_by_staff: { text: followStates.deleted_by_staff },
  transferred: { text: followStates.transferred },
}
/** The relations of each adviser, with what each of them noted. */
export const Relations = ({ rows }: { rows: readonly Relation[] }) => {
  const say = useSay()
  return (
    <Section title={say(['跟进关系', 'Relations'])}>
      <SmallTable
        head={[
          ['成员', 'Adviser'],
          ['状态', 'State'],
          ['备注与标签', 'Remark and tags'],
          ['添加', 'Added'],
          ['结束', 'Ended'],
        ]}
        rows={rows}
        keyOf={one => one.id}
        cells={one => [
          <span key="name" className="m-wecom-who">
            {one.name}{' '}
            {one.staff_status === 'left' && <Badge tone="bad">{say(['已离职', 'Left'])}</Badge>}
            <br />
            <span className="m-muted">{one.malls || say(['总部', 'Headquarters'])}</span>
          </span>,
          <State key="state" of={one.status} in={followLooks} />,
          one.hidden ? (
            <span key="hidden" className="m-muted">
              {say(['其他商场，已隐藏', 'Of another mall: hidden'])}
            </span>
          ) : (
            <span key="noted" title={one.description || undefined}>
              {one.remark || (one.tags.length === 0 && '—')}{' '}
              {one.tags.map(tag => (
                <span key={tag}>
                  <Badge>{tag}</Badge>{' '}
                </span>
              ))}
            </span>
          ),
          <span key="added">
            <Words of={addWays[one.add_way]} /> <When at={one.added_at} />
            {one.source_state && <> · {one.source_state}</>}
            {one.status === 'following' && (
              <>
                <br />
                <span className="m-muted">
                  <Words of={stages[one.stage]} />
                </span>
              </>
            )}
          </span>,
          one.lost_at === null ? '—' : <When key="lost" at={one.lost_at} />,
        ]}
      />
    </Section>
  )
}
const tones: Partial<Record<TimelineKind, ToneName>> = {
  added: 'good',
  deleted_by_customer: 'bad',
  deleted_by_staff: 'warn',
  used: 'good',
  left: 'warn',
  transfer: 'info',
  note: 'info',
}
/** What happened, in a few words. */
const Told = ({ of }: { of: TimelineEntry }): ReactNode => {
  const say = useSay()
  const word = (words: Readonly<Record<string, readonly [string, string]>>, key: string) =>
    Object.hasOwn(words, key) ? say(words[key]!) : key
  switch (of.kind) {
    case 'transfer':
      return `${of.who} → ${of.other} · ${word(transferStates, of.state)}${of.text && ` · ${of.text}`}`
    case 'joined':
    case 'left':
      return of.who || say(['其他商场的群', 'A chat of another mall'])
    case 'note':
      return (
        <>
          {of.text} <span className="m-muted">{of.who}</span>
        </>
      )
    case 'tag':
    case 'remark':
      return (
        <>
          {of.state === 'failed' && <Badge tone="bad">{say(['企微拒绝', 'Refused'])}</Badge>}{' '}
          {of.text || '—'} <span className="m-muted">{[of.other, of.who].join(' · ')}</span>
        </>
      )
    case 'added':
      return (
        <>
          {of.who} {of.text && <span className="m-muted">{of.text}</span>}
        </>
      )
    case 'order':
    case 'used':
      return (
        <>
          {word(orderKinds, of.state)} {of.other} <Money cents={Number(of.text)} sign />
        </>
      )
    case 'coupon':
      return `${of.other} · ${word(couponPieces, of.state)}`
    case 'mass':
      return `${of.who}${say(colon)}${of.text}`
    default:
      return of.who
  }
}
type TellsTimeline = Read<
  { id: number; page?: number | undefined },
  any,
  { list: TimelineEntry[]; more: boolean }
>
/** All that is known of a customer by time, the latest first, each thing once. */
export const Timeline = ({ id, call }: { id: number; call: TellsTimeline }) => {
  const say = useSay()
  const [page, setPage] = usePaneState('timeline', 1)
  const read = useRead(call, { id, page })
  return (
    <Section title={say(['时间线', 'Timeline'])}>
      <Answer of={read} lines={10}>
        {({ list, more }) =>
          list.length === 0 ? (
            <p className="m-muted">{say(['还没有记录', 'Nothing yet'])}</p>
          ) : (
            <>
              <SmallTable
                head={[
                  ['时间', 'Time'],
                  ['事件', 'Event'],
                  ['内容', 'Details'],
                ]}
                rows={list}
                keyOf={one => one.key}
                cells={one => [
                  <When key="at" at={one.at} />,
                  <Badge key="kind" {...(tones[one.kind] && { tone: tones[one.kind]! })}>
                    {say(timelineKinds[one.kind])}
                  </Badge>,
                  <Told key="told" of={one} />,
                ]}
              />
              {(more || page > 1) && (
                <p className="m-wecom-pages">
                  <Button
                    size="small"
                    disabled={page === 1}
                    onClick={() => setPage(page - 1)}
                    text={say(['较新', 'Newer'])}
                  />
                  <Button
                    size="small"
                    disabled={!more}
                    onClick={() => setPage(page + 1)}
                    text={say(['更早', 'Older'])}
                  />
                </p>
              )}
            </>
          )
        }
      </Answer>
    </Section>
  )
}
