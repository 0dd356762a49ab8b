import { Tag } from '@blueprintjs/core'
import { ShoppingCart } from '@blueprintjs/icons'
import { history as page } from '#commands/pages/system.ts'
import { historyActions as actions } from '#commands/system/logs.ts'
import { CLICK_DAYS, clickEntries, clickTypes } from '#src/areas/link/clicks.ts'
import type { ClickRow } from '#src/contract/clicks.ts'
import { comma } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { useRead } from '#src/kit/data.ts'
import { useDetailAction } from '#src/kit/detail.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { FoldedFacts } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Period } from '#src/kit/period.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { useRested } from '#src/kit/rested.ts'
import { Badge, duration, When } from '#src/kit/show.tsx'
import { Empty, Unanswered } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay, type Say } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { history as calls } from '../contract/history.ts'
import { Beside } from '../parts/Beside.tsx'
import { useLogList } from '../parts/logList.ts'
import { TopPages } from '../parts/TopPages.tsx'
import '../parts/logs.css'

const Entry = ({ entry }: { entry: string }) => {
  const say = useSay()
  return <>{say(clickEntries[entry as keyof typeof clickEntries] ?? [entry, entry])}</>
}
const Kind = ({ type }: { type: ClickRow['object_type'] }) => {
  const say = useSay()
  return <span className="m-muted">{say(clickTypes[type])}</span>
}
const Who = ({ row }: { row: ClickRow }) => {
  const say = useSay()
  if (row.member_id === null) return <span className="m-muted">{say(['游客', 'Visitor'])}</span>
  return (
    <>
      {row.nickname}
      {row.visitor && <span className="m-muted"> · {say(['注册前', 'before sign-up'])}</span>}
    </>
  )
}
const columns: readonly Column<ClickRow>[] = [
  { key: 'at', title: ['时间', 'Time'], width: 96, cell: row => <When at={row.at} /> },
  {
    key: 'who',
    title: ['会员', 'Member'],
    width: 90,
    cell: row => <Who row={row} />,
    words: row => `${row.nickname ?? ''} ${row.member_id ?? ''}`,
  },
  {
    key: 'phone',
    title: ['手机号', 'Phone'],
    width: 106,
    cell: row => <span className="m-num">{row.phone_masked ?? '—'}</span>,
  },
  {
    key: 'object',
    title: ['页面或对象', 'Page or object'],
    width: 170,
    grow: true,
    cell: row => (
      <>
        <Kind type={row.object_type} /> {row.object_name || `#${row.object_id}`}
      </>
    ),
    words: row => `${row.object_name} #${row.object_id}`,
  },
  {
    key: 'entry',
    title: ['来源入口', 'Entry'],
    width: 80,
    cell: row => <Entry entry={row.entry} />,
  },
  {
    key: 'place',
    title: ['城市/商场', 'City, mall'],
    width: 130,
    cell: row => `${row.city_name} ${row.mall_name}`,
    words: row => `${row.city_name} ${row.mall_name}`,
  },
  {
    key: 'device',
    title: ['设备', 'Device'],
    width: 100,
    optional: true,
    cell: row => row.device_id,
    words: row => row.device_id,
  },
]

/** How long somebody looked; nothing where it is not known. */
const lookedFor = (seconds: number | null, say: Say): string => {
  if (seconds === null) return ''
  return seconds < 60 ? say(['{n} 秒', '{n} s'], { n: seconds }) : duration(seconds, say)
}
/**
 * The way of one member, visit by visit: where they came in, what they looked at and for how long,
 * and what they ordered then.
 */
const Timeline = ({
  member_id,
  from,
  to,
  list,
}: {
  member_id: number
  from: number | undefined
  to: number | undefined
  list: ListState<ClickRow>
}) => {
  const say = useSay()
  const read = useRead(calls.timeline, {
    member_id,
    ...(from === undefined ? {} : { start_at: from }),
    ...(to === undefined ? {} : { end_at: to }),
  })
  if (!read.data) return <Unanswered of={read} lines={12} />
  const { member, devices, visits, more } = read.data
  return (
    <Beside label={member.nickname}>
      <header className="l-head">
        <h2>
          {member.nickname}
          <span className="m-muted">#{member.id}</span>
          {member.account_state !== 'normal' && <Badge tone="warn">{member.account_state}</Badge>}
        </h2>
        <p>
          {member.phone_masked ?? ''} {member.city_name} · {say(['注册于', 'Since'])}{' '}
          {timeFull(member.register_at).slice(0, 10)}
        </p>
        <div className="l-chips">
          {devices.map(one => (
            <Badge
              key={one.device_id}
              tone={one.others.length > 0 ? 'warn' : 'plain'}
              title={one.others.map(other => `${other.nickname} #${other.id}`).join(say(comma))}
            >
              {one.device_id} · {one.clicks}
              {one.others.length > 0 &&
                ` · ${say(['与 {n} 个账号共用', 'shared with {n}'], { n: one.others.length })}`}
            </Badge>
          ))}
          {list.input.member_id !== member_id && (
            <button type="button" className="l-link" onClick={() => list.filter({ member_id })}>
              {say(['只看此会员', 'Only this member'])}
            </button>
          )}
        </div>
      </header>
      <FoldedFacts />
      {more && (
        <p className="m-muted" style={{ padding: '4px 12px' }}>
          {say([
            '步数过多，只显示最近 2000 步；缩短时间可看更早的',
            'Only the last 2,000 steps; a shorter period shows earlier ones',
          ])}
        </p>
      )}
      {visits.length === 0 && (
        <Empty title={say(['这段时间没有访问', 'No visit in this period'])} />
      )}
      {visits.map(visit => (
        <section className="l-visit" key={`${visit.from}${visit.device_id}`}>
          <header>
            <When at={visit.from} />
            <span className="m-muted">
              {say(['自', 'via'])} <Entry entry={visit.entry} /> ·{' '}
              {say(['{n} 步，{t}', 'Steps {n}, {t}'], {
                n: visit.steps.length,
                t: duration(visit.to - visit.from, say),
              })}
            </span>
            {visit.orders.map(one => (
              <Badge key={one.id} tone="good" icon={ShoppingCart} title={timeFull(one.at)}>
                {say(['下单', 'Ordered'])} {one.order_no}
              </Badge>
            ))}
          </header>
          {visit.steps.map(step => (
            <div className="l-step" key={step.id}>
              <span className="m-num m-muted">{timeFull(step.at).slice(11)}</span>
              <span className="m-ellipsis" title={step.object_name}>
                <Kind type={step.object_type} /> {step.object_name || `#${step.object_id}`}
                {step.visitor && (
                  <span className="m-muted"> · {say(['注册前', 'before sign-up'])}</span>
                )}
              </span>
              <span className="m-num m-muted">{lookedFor(step.rest_s, say)}</span>
            </div>
          ))}
        </section>
      ))}
    </Beside>
  )
}

export default function History() {
  const say = useSay()
  const now = useLang()
  const list = useList(calls.lstClickLog)
  const totals = useRead(calls.lstClickLog, list.input)
  const { member_id, object_id, device_id, start_at, end_at } = list.input
  const [ranking, setRanking] = usePaneState('ranking', false)
  const [shown] = useRested(list.focusedRow?.member_id ?? undefined)
  useLogList(actions.query, actions.export, calls.export, list)
  useDetailAction(actions.timeline, ([row]: readonly ClickRow[]) => {
    if (row?.member_id) {
      setRanking(false)
      list.filter({ member_id: row.member_id })
    }
  })
  useDetailAction(actions.topPages, () => setRanking(!ranking))
  const days = member_id || device_id || object_id ? CLICK_DAYS.named : CLICK_DAYS.open
  const only = [
    ...(member_id
      ? [{ by: 'member_id', text: say(['会员 #{n}', 'Member #{n}'], { n: member_id }) }]
      : []),
    ...(device_id ? [{ by: 'device_id', text: device_id }] : []),
    ...(object_id ? [{ by: 'object_id', text: `#${object_id}` }] : []),
  ]
  const path = shown ? (
    <Timeline key={shown} member_id={shown} from={start_at} to={end_at} list={list} />
  ) : (
    <Beside label={say(['访问路径', 'The path'])}>
      <FoldedFacts />
      <Empty title={say(['选择一位会员查看访问路径', 'Choose a member to see their path'])}>
        <p>
          <Keyed
            text={[
              '游客没有账号；按 {top} 看热门页面。',
              'A visitor has no account; {top} shows the top pages.',
            ]}
            by={{ top: actions.topPages }}
          />
        </p>
      </Empty>
    </Beside>
  )
  return (
    <ListDetail label={say(['列表与路径的分隔', 'Between list and path'])}>
      <List
        of={list}
        label={titleIn(page, now)}
        columns={columns}
        actions={Object.values(actions)}
        onOpen={row => {
          if (row.member_id) list.filter({ member_id: row.member_id })
        }}
        aside={
          totals.data && (
            <span className="l-sum m-num">
              <span>
                PV {totals.data.pv.toLocaleString()}
                {totals.data.total_capped && '+'}
              </span>
              <span>
                UV {totals.data.uv.toLocaleString()}
                {totals.data.total_capped && '+'}
              </span>
            </span>
          )
        }
        filters={
          <>
            <Keyword of={list} placeholder={say(['昵称或 11 位手机号', 'Nickname or phone'])} />
            <Choice
              of={list}
              by="object_type"
              label={say(['对象类型', 'Object'])}
              options={Object.entries(clickTypes).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Choice
              of={list}
              by="entry"
              label={say(['来源入口', 'Entry'])}
              options={Object.entries(clickEntries).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <CityFilter of={list} />
            <MallFilter of={list} />
            <Keyword of={list} by="device_id" placeholder={say(['设备号', 'Device'])} />
            <Period
              of={list}
              from="start_at"
              to="end_at"
              most={days}
              usual={['近 7 天', 'Last 7 days']}
            />
            {only.map(one => (
              <Tag
                key={one.by}
                minimal
                intent="primary"
                onRemove={() => list.filter({ [one.by]: undefined })}
              >
                {one.text}
              </Tag>
            ))}
          </>
        }
      />
      {ranking ? <TopPages list={list} /> : path}
    </ListDetail>
  )
}
