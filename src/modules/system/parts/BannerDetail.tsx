import { bannerStates, clickRate, type BannerState } from '#src/areas/content/banner.ts'
import { clickEntries, type ClickEntry } from '#src/areas/link/clicks.ts'
import { percent } from '#src/domain/money.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart, timeFull, unixNow } from '#src/domain/time.ts'
import { SmallTable, State, type States } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Picture } from '#src/kit/image.tsx'
import { Badge, Fact, Facts, Section, Span, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { banner as calls, type BannerRow } from '../contract/banner.ts'
import { BannerDays } from './BannerDays.tsx'

export const bannerLooks: States<BannerState> = {
  draft: { text: bannerStates.draft },
  online: { text: bannerStates.online, tone: 'good' },
  offline: { text: bannerStates.offline, tone: 'warn' },
  ended: { text: bannerStates.ended },
}
export const bannerRate = (row: BannerRow) => {
  const rate = clickRate(row.clicks, row.views)
  return rate === null ? '—' : percent(rate)
}

/**
 * The periods of one place side by side, from a week ago to six weeks ahead: what follows what, and
 * where nothing is planned.
 */
export const BannerTimeline = ({
  rows,
  focused,
  onFocus,
}: {
  rows: readonly BannerRow[]
  focused: number | undefined
  onFocus: (id: number) => void
}) => {
  const say = useSay()
  const from = dayStart(unixNow()) - 7 * DAY
  const until = from + 49 * DAY
  const at = (time: number) =>
    (Math.max(0, Math.min(1, (time - from) / (until - from))) * 100).toFixed(2)
  const within = rows.filter(row => row.end_at > from && row.start_at < until)
  return (
    <Section
      title={say(['排期', 'Periods'])}
      aside={<span className="m-muted"> {say(['{n} 张', '{n}'], { n: within.length })}</span>}
    >
      <div className="c-time">
        <div className="c-time-scale" aria-hidden="true">
          {Array.from({ length: 7 }, (_, week) => (
            <i key={week} style={{ left: `${at(from + week * 7 * DAY)}%` }}>
              {dateOf(from + week * 7 * DAY).slice(5)}
            </i>
          ))}
          <i data-now style={{ left: `${at(unixNow())}%` }} />
        </div>
        {within.map(row => (
          <div className="c-time-row" key={row.id}>
            <button
              type="button"
              data-state={row.status}
              data-current={row.id === focused || undefined}
              style={{
                left: `${at(row.start_at)}%`,
                width: `${Number(at(row.end_at)) - Number(at(row.start_at))}%`,
              }}
              title={`${row.title} ${timeFull(row.start_at)} – ${timeFull(row.end_at)}`}
              onClick={() => onFocus(row.id)}
            >
              {row.title}
            </button>
          </div>
        ))}
        {within.length === 0 && (
          <p className="m-muted">{say(['这段时间没有安排。', 'Nothing is planned.'])}</p>
        )}
      </div>
    </Section>
  )
}
/** The people who clicked the banner lately, each one's repeats left out. */
const Clicks = ({ id }: { id: number }) => {
  const say = useSay()
  const clicks = useRead(calls.clicks, {
    banner_id: id,
    pageSize: 50,
    start_at: dayStart(unixNow()) - 30 * DAY,
  })
  const { data } = clicks
  return (
    <Section
      title={say(['近 30 天点击记录', 'Clicks in 30 days'])}
      aside={
        data && (
          <span className="m-muted">
            {' '}
            {say(['{pv} 次 · {uv} 人', '{pv} clicks · {uv} people'], { pv: data.pv, uv: data.uv })}
          </span>
        )
      }
    >
      <BannerDays banner_id={id} />
      <Answer of={clicks} lines={4} none={say(['还没有人点击。', 'Nobody clicked yet.'])}>
        {({ list }) => (
          <SmallTable
            head={[
              ['时间', 'When'],
              ['会员', 'Member'],
              ['入口', 'Entry'],
              ['城市', 'City'],
            ]}
            rows={list}
            keyOf={row => row.id}
            cells={row => [
              <When key="at" at={row.at} />,
              row.member_id === null ? (
                <span className="m-muted">{say(['未登录访客', 'A visitor'])}</span>
              ) : (
                `${row.nickname} ${row.phone_masked ?? ''}`.trim()
              ),
              row.entry in clickEntries ? say(clickEntries[row.entry as ClickEntry]) : row.entry,
              [row.city_name, row.mall_name].filter(Boolean).join(' · '),
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
const figuresOf = (row: BannerRow): readonly (readonly [title: Text, figure: string])[] => [
  [['曝光', 'Views'], row.views.toLocaleString()],
  [['点击', 'Clicks'], row.clicks.toLocaleString()],
  [['点击人数', 'People'], row.users.toLocaleString()],
  [['点击率', 'Click rate'], bannerRate(row)],
]
/** A banner by itself: its picture, what it brings, where and how long it is shown. */
export const BannerDetail = ({ row, clicks }: { row: BannerRow; clicks: boolean }) => {
  const say = useSay()
  return (
    <>
      <header>
        <h2>{row.title}</h2>
        <State of={row.status} in={bannerLooks} />
        {row.is_live && <Badge tone="info">{say(['展示中', 'Shown now'])}</Badge>}
      </header>
      <Section title={say(['素材', 'Picture'])}>
        <div className="c-wide">
          <Picture of={row.image} label={row.title} />
        </div>
      </Section>
      <Section title={say(['效果', 'Results'])}>
        <dl className="c-numbers">
          {figuresOf(row).map(([title, figure]) => (
            <div key={title[0]}>
              <dt>{say(title)}</dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={say(['投放', 'Placement'])}>
        <Facts>
          <Fact label={say(['跳转', 'Leads to'])}>
            {row.link_name}{' '}
            {!row.link_ok && <Badge tone="bad">{say(['目标失效', 'Broken'])}</Badge>}
          </Fact>
          <Fact label={say(['时间', 'Period'])}>
            <Span from={row.start_at} to={row.end_at} />
          </Fact>
          <Fact wide label={say(['城市', 'Cities'])}>
            {row.city_names.join(say(comma))}
          </Fact>
          <Fact label={say(['商场', 'Mall'])}>
            {row.mall_name || say(['商场外', 'Outside malls'])}
          </Fact>
          <Fact label={say(['受众', 'Audience'])}>
            {row.audience.new_only ? say(['仅新会员', 'New members']) : say(['所有人', 'Everyone'])}
          </Fact>
          {row.status === 'offline' && row.off_reason && (
            <Fact wide label={say(['下线原因', 'Why offline'])}>
              {row.off_reason}
            </Fact>
          )}
        </Facts>
      </Section>
      {clicks && <Clicks id={row.id} />}
    </>
  )
}
