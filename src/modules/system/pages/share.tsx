import { HTMLSelect } from '@blueprintjs/core'
import { useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { shareActions, titleFault } from '#commands/system/content.ts'
import {
  namedTemplate,
  placeholders,
  placeholdersOf,
  type ShareType,
  shareTypes,
} from '#src/areas/content/shareCard.ts'
import type { Result } from '#src/contract/call.ts'
import { cityOptions } from '#src/contract/places.ts'
import type { Text } from '#src/domain/text.ts'
import type { Flag } from '#src/kit/board-rows.tsx'
import { skipToken, sourceOf, useRead, type ReadState } from '#src/kit/data.ts'
import { Picture } from '#src/kit/image.tsx'
import { Shelf } from '#src/kit/shelf.tsx'
import { Badge, Fact, Facts, Section } from '#src/kit/show.tsx'
import { Split } from '#src/kit/split.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay, type Say } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import {
  useAction,
  useAnswered,
  usePane,
  useResult,
  useStageSubject,
  useWorkbench,
} from '#src/kit/workbench.ts'
import { share as calls, type ShareRow } from '../contract/share.ts'
import { CodeDialog } from '../parts/CodeDialog.tsx'
import { ShareFunnel } from '../parts/ShareFunnel.tsx'
import '../parts/content.css'

const types = Object.keys(shareTypes) as ShareType[]
/** A page type as it is in the chosen place: its own card, or what it inherits. */
type Here = ShareRow & { name: string; inherited: boolean }
type Tried = { page_type: ShareType; city_id: number; object_id?: number; title_tpl?: string }

type Preview = Result<typeof calls.preview>
const sources = {
  city: ['城市设置', 'For this city'],
  default: ['默认设置', 'Default'],
  built_in: ['内置文案', 'Built in'],
} as const satisfies Record<Preview['from'], Text>
const FriendsSee = ({
  may,
  of: { data, error, refetch },
}: {
  may: boolean
  of: ReadState<Preview>
}) => {
  const say = useSay()
  if (!may) return <p className="m-muted">{say(['没有预览权限', 'You may not preview'])}</p>
  if (error) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={5} />
  return (
    <>
      <div className="c-share">
        <span>{data.title}</span>
        {data.image ? <Picture of={data.image} label={data.title} /> : <span className="c-none" />}
        <small>{say(['小程序', 'Mini-program'])}</small>
      </div>
      {data.cut && (
        <p className="c-warning">
          {say(
            [
              '标题超过 30 个汉字，会被截断：{full}',
              'Wider than 30 double-byte characters, so it is cut: {full}',
            ],
            { full: data.full_title },
          )}
        </p>
      )}
    </>
  )
}
const Inspector = ({ row, tried }: { row: Here; tried: Tried | undefined }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const may = me.can(calls.preview.permit)
  const ask =
    tried?.page_type === row.page_type && tried.city_id === row.city_id
      ? tried
      : { page_type: row.page_type, city_id: row.city_id }
  const preview = useRead(calls.preview, may ? ask : skipToken)
  const fault = titleFault(row.title_tpl, row.page_type)
  return (
    <div className="c-inspect">
      <header>
        <h2>{say(shareTypes[row.page_type])}</h2>
        {row.inherited && <Badge>{say(['沿用默认', 'Inherited'])}</Badge>}
        {row.status === 'off' && (
          <Badge tone="warn">
            {say(['已关闭，使用上一级', 'Off: the more general one is used'])}
          </Badge>
        )}
      </header>
      <Section
        title={say(['好友看到的效果', 'What friends see'])}
        aside={preview.data && <span className="m-muted"> {say(sources[preview.data.from])}</span>}
      >
        <FriendsSee may={may} of={preview} />
      </Section>
      <Section title={say(['近 30 天', 'Last 30 days'])}>
        <ShareFunnel of={row} />
      </Section>
      <Section title={say(['设置', 'Settings'])}>
        <Facts>
          <Fact wide label={say(['标题模板', 'Title'])}>
            {row.title_tpl}
          </Fact>
          <Fact wide label={say(['可用占位符', 'Placeholders'])}>
            {placeholdersOf[row.page_type].map(name => (
              <code
                key={name}
                title={say(placeholders[name])}
                style={{ marginRight: 8 }}
              >{`{${name}}`}</code>
            ))}
          </Fact>
          <Fact label={say(['奖励', 'Reward'])}>
            {row.reward_points > 0
              ? say(['每位新访客 {n} 积分', '{n} points a visitor'], { n: row.reward_points })
              : say(['不奖励', 'None'])}
          </Fact>
          {row.reward_points > 0 && (
            <>
              <Fact label={say(['每日上限', 'Daily limit'])}>
                {say(['{n} 次', '{n} times'], { n: row.daily_limit })}
              </Fact>
              <Fact label={say(['预算', 'Budget'])}>
                {say(['已发 {given}/{all}', '{given} of {all} given'], {
                  given: row.points_given.toLocaleString(),
                  all: row.reward_budget.toLocaleString(),
                })}
              </Fact>
            </>
          )}
        </Facts>
        {fault && <p className="c-warning">{say(fault)}</p>}
        {row.poster.background && (
          <div className="c-wide" style={{ maxWidth: 160, marginTop: 8 }}>
            <Picture of={row.poster.background} label={say(['海报背景', 'Poster'])} />
          </div>
        )}
      </Section>
    </div>
  )
}

/** What friends see when somebody shares a page, by page type and city. */
/** The cards of one place, the general ones standing in where it has none of its own. */
const useCards = (all: readonly ShareRow[] | undefined, city_id: number) => {
  const say = useSay()
  return useMemo(
    () =>
      all &&
      types.map((page_type, at): Here => {
        const own = all.find(one => one.page_type === page_type && one.city_id === city_id)
        const general = all.find(one => one.page_type === page_type && one.city_id === 0)!
        // What is inherited is changed by making a card of the city's own: version 0, with figures
        // of its own.
        const name = say(shareTypes[page_type])
        return own
          ? { ...own, id: at + 1, name, inherited: false }
          : {
              ...general,
              id: at + 1,
              name,
              city_id,
              version: 0,
              shares: 0,
              visits: 0,
              rewarded: 0,
              orders: 0,
              points_given: 0,
              inherited: true,
            }
      }),
    [all, city_id, say],
  )
}
const Line = ({ of }: { of: Here }) => {
  const say = useSay()
  return (
    <div className="c-line">
      <div className="c-thumb" style={{ width: 52 }}>
        {of.image && <Picture of={of.image} label="" />}
      </div>
      <div className="c-two">
        <b>{say(shareTypes[of.page_type])}</b>
        <small>{namedTemplate(of.title_tpl, say)}</small>
      </div>
    </div>
  )
}
const flagsOf = (row: Here, overrides: number, say: Say): Flag[] => [
  ...(row.status === 'off' ? [{ tone: 'warn' as const, text: say(['已关闭', 'Off']) }] : []),
  ...(row.inherited && row.city_id !== 0
    ? [{ tone: 'plain' as const, text: say(['沿用默认', 'Inherited']) }]
    : []),
  ...(row.reward_points > 0
    ? [
        {
          tone: 'good' as const,
          text: say(['奖励 {n} 积分', '{n} points'], { n: row.reward_points }),
        },
      ]
    : []),
  ...(row.city_id === 0 && overrides > 0
    ? [
        {
          tone: 'info' as const,
          text: say(['{n} 个城市单独设置', 'City overrides {n}'], {
            n: overrides,
          }),
        },
      ]
    : []),
]
const NoneChosen = ({
  of: { data, error, refetch },
}: {
  of: ReadState<Result<typeof calls.lst>>
}) => {
  const say = useSay()
  if (error) return <Failed error={error} retry={refetch} />
  return data ? <Empty title={say(['选择一种页面', 'Choose a page'])} /> : <Loading />
}
export default function ShareCards() {
  const say = useSay()
  const pane = usePane()
  const { toast } = useWorkbench()
  const [, navigate] = useLocation()
  const city_id = Number(new URLSearchParams(useSearch()).get('city_id')) || 0
  const cities = useRead(cityOptions, { pageSize: 100 })
  const read = useRead(calls.lst, {})
  const [tried, setTried] = useState<Tried | undefined>(undefined)
  const [code, setCode] = useState<{ title: string; of: Tried } | undefined>(undefined)
  const coded = useRead(calls.preview, code ? code.of : skipToken)
  const all = read.data?.list
  const rows = useCards(all, city_id)
  useAnswered(shareActions.preview, ({ object, title }) => {
    const row = subject[0]
    if (row)
      setTried({
        page_type: row.page_type,
        city_id: row.city_id,
        ...(object ? { object_id: object as number } : {}),
        ...(title ? { title_tpl: title as string } : {}),
      })
  })
  useAction(shareActions.getMpImg, ([row]) => {
    if (row)
      setCode({
        title: say(shareTypes[(row as Here).page_type]),
        of: { page_type: row.page_type, city_id: row.city_id },
      })
  })
  useResult(shareActions.save, () => setTried(undefined))
  useResult(shareActions.restoreDefault, ({ restored }) => {
    if (!restored) toast(say(['本来就是默认', 'It was the default already']), 'none')
  })
  const { rows: chosen } = useStageSubject(pane.stage)
  const subject = chosen as readonly Here[]
  const focused = rows?.find(row => row.id === subject[0]?.id) ?? rows?.[0]
  const overrides = (page_type: ShareType) =>
    all?.filter(one => one.page_type === page_type && one.city_id !== 0).length ?? 0
  return (
    <>
      <Split label={say(['列表与详情的分隔', 'Between list and detail'])} start={50}>
        <div className="m-list">
          <div className="m-filters">
            <HTMLSelect
              aria-label={say(['城市', 'City'])}
              value={city_id}
              onChange={event => navigate(`?city_id=${event.target.value}`, { replace: true })}
              options={[
                { value: 0, label: say(['默认（所有城市）', 'Default (all cities)']) },
                ...(cities.data?.list ?? []).map(one => ({ value: one.id, label: one.city_name })),
              ]}
            />
          </div>
          <Toolbar actions={Object.values(shareActions)} rows={subject} />
          <div className="m-rows">
            <Shelf
              name="cards"
              label={say(['分享卡片', 'Share cards'])}
              of={{ ...sourceOf(read), rows }}
              labelOf={row => say(shareTypes[row.page_type])}
              dim={row => row.inherited}
              row={row => <Line of={row} />}
              flags={row => flagsOf(row, overrides(row.page_type), say)}
            />
          </div>
        </div>
        {focused ? (
          <Inspector key={`${focused.page_type}:${focused.city_id}`} row={focused} tried={tried} />
        ) : (
          <NoneChosen of={read} />
        )}
      </Split>
      {code && coded.data && (
        <CodeDialog title={code.title} path={coded.data.path} close={() => setCode(undefined)} />
      )}
    </>
  )
}
