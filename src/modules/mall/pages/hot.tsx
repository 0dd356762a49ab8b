import { Clean, Flame, Tag } from '@blueprintjs/icons'
import { useState } from 'react'
import { hotActions } from '#commands/mall/mall.ts'
import { dropReasons, hotBadges, hotKinds } from '#src/areas/mall/recommend.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, timeFull, unixNow } from '#src/domain/time.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import type { Flag } from '#src/kit/board-rows.tsx'
import { Board } from '#src/kit/board.tsx'
import { shownOf, skipToken, sourceOf, useRead, useWrite } from '#src/kit/data.ts'
import { Drawer } from '#src/kit/drawer.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Keyed } from '#src/kit/keyed.tsx'
import { Phone } from '#src/kit/phone.tsx'
import { Badge, Span, When } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay, type Say } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard, type BoardState } from '#src/kit/useboard.ts'
import { useAction, usePane, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import { hots, type HotItem } from '../contract/hot.ts'
import { InMall, lastChange, PlaceBar, usePlace } from '../parts/place.tsx'
import { Thumb } from '../parts/thumb.tsx'

const hideReasons: Record<string, Text> = {
  ...dropReasons,
  link_dead: ['链接失效', 'The link is dead'],
  ended: ['展示时间已过', 'Its window is over'],
}
const signs = { hot: Flame, new: Clean, sale: Tag }
const actions = Object.values(hotActions)
const shownFlag = (row: HotItem, say: Say): Flag => {
  if (row.status === 'off') return { tone: 'plain', text: say(['已停用', 'Off']) }
  if (row.hide_reason === 'planned')
    return {
      tone: 'info',
      text: say(['{at} 起', 'From {at}'], { at: timeFull(row.start_at).slice(5, 16) }),
    }
  if (row.hide_reason)
    return {
      tone: 'bad',
      text: say(['已自动隐藏：{why}', 'Hidden: {why}'], {
        why: say(hideReasons[row.hide_reason] ?? [row.hide_reason, row.hide_reason]),
      }),
    }
  return { tone: 'good', text: say(['展示中', 'Live']) }
}
const flagsOf = (row: HotItem, say: Say): Flag[] => [
  shownFlag(row, say),
  ...(row.is_live && row.end_at - unixNow() < 2 * DAY
    ? [{ tone: 'warn' as const, text: say(['即将到期', 'Ending']) }]
    : []),
]
const Line = ({ of }: { of: HotItem }) => {
  const say = useSay()
  return (
    <div className="ml-line">
      {of.kind !== 'keyword' && <Thumb of={of.image ?? ''} name={of.title} />}
      <div>
        <div className="ml-name">
          {of.title}{' '}
          {of.badge !== 'none' && <Badge icon={signs[of.badge]}>{say(hotBadges[of.badge])}</Badge>}
        </div>
        <div className="ml-meta">
          <span>{say(hotKinds[of.kind])}</span>
          {of.ref_name && (
            <span className="m-ellipsis" title={of.ref_name}>
              {of.ref_name}
            </span>
          )}
          <span>
            {say(['点击', 'Clicks'])} <b>{of.click_count}</b>
          </span>
          <span>
            {say(['人数', 'Users'])} <b>{of.user_count}</b>
          </span>
          <Span from={of.start_at} to={of.end_at} />
        </div>
      </div>
    </div>
  )
}
const HotBoard = ({
  of,
  set,
  onOpen,
}: {
  of: BoardState<HotItem>
  set: string | undefined
  onOpen: (row: HotItem) => void
}) => {
  const say = useSay()
  return (
    <Board
      of={of}
      label={say(['热门内容', 'Hot items'])}
      labelOf={row => row.title}
      flags={row => flagsOf(row, say)}
      dim={row => !row.is_live}
      saves={hotActions.sort}
      theirs={set}
      onOpen={onOpen}
      row={row => <Line of={row} />}
      empty={
        <Empty title={say(['这里还没有热门内容', 'No hot items here'])}>
          <p>
            <Keyed
              text={['按 {add} 新增热词或热门卡片。', '{add} adds a word or a card.']}
              by={{ add: hotActions.add }}
            />
          </p>
        </Empty>
      }
    />
  )
}
const HotPhone = ({ rows }: { rows: readonly HotItem[] }) => {
  const say = useSay()
  return (
    <Phone label={say(['手机预览', 'Phone preview'])} title={say(['搜索', 'Search'])}>
      <div className="ml-block">
        <h4>{say(['热门搜索', 'Hot now'])}</h4>
        {rows.map((row, at) => (
          <div key={row.id} style={{ display: 'flex', gap: 6, lineHeight: '26px' }}>
            <b style={{ width: 16, color: at < 3 ? '#c0392b' : '#99a' }}>{at + 1}</b>
            <span className="m-ellipsis">{row.title}</span>
            {row.badge !== 'none' && (
              <b style={{ color: '#c0392b' }}>{say(hotBadges[row.badge])}</b>
            )}
          </div>
        ))}
      </div>
    </Phone>
  )
}
export default function MallHot() {
  const say = useSay()
  const place = usePlace('shop', true)
  const { where } = place
  const { run } = useWorkbench()
  const { stage, id: pane } = usePane()
  const subject = useStageSubject(stage)
  const [open, setOpen] = useState<HotItem | undefined>(undefined)
  const read = useRead(
    hots.list,
    where ? { mid: where.mid, city_id: where.city_id, pageSize: 1000 } : skipToken,
  )
  const data = shownOf(read)
  const [sort] = useWrite(hots.sort)
  const board = useBoard<HotItem>({
    name: `hot:${where?.mid ?? ''}/${where?.city_id ?? ''}`,
    ...sourceOf(read),
    save: (order, list_version) =>
      sort({ mid: where!.mid, city_id: where!.city_id, order, list_version }),
  })
  useAction(hotActions.sort, () => void board.save())
  useAction(hotActions.add, () => {
    if (where)
      void run(hotActions.add, [], { pane, asked: { mid: where.mid, city_id: where.city_id } })
  })
  useExport(hotActions.export, hots.export, { filters: ([row]) => ({ id: (row as HotItem).id }) })
  useAction(hotActions.userList, ([row]) => setOpen(row as HotItem))
  const set = lastChange(data)
  const live = (board.rows ?? []).filter(row => row.is_live)
  return (
    <div className="ml-page-of">
      <PlaceBar of={place} />
      <Toolbar actions={actions} rows={subject.rows} plain={board.dirty}>
        {data && (
          <span className="ml-count" data-full={data.live >= data.max || undefined}>
            {say(['启用 {n} / {max}', 'On {n} of {max}'], { n: data.live, max: data.max })}
          </span>
        )}
      </Toolbar>
      <InMall of={place} read={{ ...read, data }}>
        {() => (
          <div className="ml-body">
            <Columns widths="minmax(320px, 1fr)" first="hot">
              <Column
                name="hot"
                title={say(['热门内容', 'Hot items'])}
                aside={set && <span className="ml-count">{set}</span>}
              >
                <HotBoard of={board} set={set} onOpen={setOpen} />
              </Column>
            </Columns>
            <div className="ml-side">
              <HotPhone rows={live} />
            </div>
          </div>
        )}
      </InMall>
      {open && <Clickers of={open} close={() => setOpen(undefined)} />}
    </div>
  )
}
const ClickerTable = ({ id }: { id: number }) => {
  const say = useSay()
  const { data, error, refetch } = useRead(hots.userList, { id, pageSize: 100 })
  if (error) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <p className="m-muted">
        {say(
          ['点击 {pv} 次，{uv} 人；其中会员 {n} 人', '{pv} clicks by {uv}, {n} of them members'],
          { pv: data.pv, uv: data.uv, n: data.total },
        )}
      </p>
      {data.list.length === 0 ? (
        <Empty title={say(['没有会员点击过', 'No member clicked it'])} />
      ) : (
        <table className="ml-diff">
          <thead>
            <tr>
              <th>{say(['会员', 'Member'])}</th>
              <th>{say(['手机号', 'Phone'])}</th>
              <th>{say(['城市', 'City'])}</th>
              <th>{say(['次数', 'Clicks'])}</th>
              <th>{say(['最近', 'Last'])}</th>
            </tr>
          </thead>
          <tbody>
            {data.list.map(row => (
              <tr key={row.id}>
                <td>{row.nickname}</td>
                <td className="m-num">{row.phone_masked ?? '—'}</td>
                <td>{row.city_name}</td>
                <td className="m-num">{row.click_count}</td>
                <td>
                  <When at={row.last_click_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
const Clickers = ({ of, close }: { of: HotItem; close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  return (
    <Drawer
      isOpen
      onClose={close}
      size={600}
      title={say(['点击“{title}”的用户', 'Who clicked “{title}”'], { title: of.title })}
    >
      <div
        style={{ overflow: 'auto', padding: 12 }}
        tabIndex={0}
        role="region"
        aria-label={say(['点击用户', 'Who clicked'])}
      >
        <ClickerTable id={of.id} />
      </div>
    </Drawer>
  )
}
