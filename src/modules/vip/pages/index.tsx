import { useCallback, useState } from 'react'
import { memberActions as actions } from '#commands/vip/members.ts'
import { memberLevels } from '#src/areas/member/levels.ts'
import {
  accountStates,
  agoBands,
  growthBands,
  memberTabs,
  pointsBands,
  registerSources,
  vipBands,
} from '#src/areas/member/member.ts'
import type { Text } from '#src/domain/text.ts'
import {
  idColumn,
  moneyColumn,
  numberColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { RevealDialog, type Revealed } from '#src/kit/reveal.tsx'
import { useCountedTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { countedOf, filtersOf, useList, type ListState } from '#src/kit/uselist.ts'
import { useAction, usePane, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { membersPage as calls, type MemberRow } from '../contract/index.ts'
import { MemberDetail } from '../parts/MemberDetail.tsx'
import { PointsOf, RiskOf, StateOf } from '../parts/memberLooks.tsx'

/** The words of bands by their keys. */
const wordsOf = <K extends string>(bands: Readonly<Record<K, { words: Text }>>) =>
  Object.fromEntries(
    Object.entries<{ words: Text }>(bands).map(([key, { words }]) => [key, words]),
  ) as Record<K, Text>
const levels = { 0: ['V0', 'V0'], ...memberLevels } as const

const columns: readonly Column<MemberRow>[] = [
  { ...textColumn('nickname', ['昵称', 'Nickname'], 130), grow: true },
  {
    key: 'state',
    title: ['状态', 'State'],
    width: 100,
    cell: row => <StateOf row={row} />,
  },
  { ...textColumn('uid', ['会员号', 'Number'], 112), priority: 4 },
  { ...textColumn('city_name', ['城市', 'City'], 64), priority: 3 },
  { key: 'level', title: ['等级', 'Level'], width: 56, priority: 1, cell: row => `V${row.level}` },
  { ...numberColumn('growth', ['成长值', 'Growth'], 76), sort: 'growth', priority: 2 },
  {
    key: 'points',
    title: ['积分', 'Points'],
    width: 100,
    align: 'end',
    sort: 'points',
    cell: row => <PointsOf row={row} />,
  },
  { ...timeColumn('vip_end_at', ['付费会员至', 'VIP until'], 104), priority: 2 },
  { ...moneyColumn('total_paid_cents', ['累计实付', 'Total paid'], 104), sort: 'paid' },
  { ...numberColumn('order_count', ['订单', 'Orders'], 60), priority: 2 },
  { ...timeColumn('last_order_at', ['最近下单', 'Last order'], 104), priority: 3 },
  { ...timeColumn('last_visit_at', ['最近访问', 'Last visit'], 104), priority: 3 },
  {
    key: 'risk',
    title: ['风险', 'Risk'],
    width: 84,
    priority: 2,
    cell: row => <RiskOf risk={row.risk} />,
  },
  {
    key: 'phone',
    title: ['手机号', 'Phone'],
    width: 112,
    priority: 4,
    cell: row => <span className="m-num">{row.phone ?? '—'}</span>,
  },
  { ...timeColumn('register_at', ['注册时间', 'Joined'], 104), optional: true },
  {
    ...wordColumn('register_source', ['来源', 'Source'], 84, registerSources),
    optional: true,
  },
  idColumn,
]

/** Asks how the people of the list, as it is narrowed now, are kept. */
const useKept = (list: ListState<MemberRow>) => {
  const say = useSay()
  const pane = usePane()
  const { run, toast } = useWorkbench()
  useAction(actions.saveSegment, () => {
    const on = {
      is: 'filter',
      title: say(['当前筛选', 'Current filters']),
      filters: filtersOf(list),
      counted: countedOf(list),
    }
    void run(actions.saveSegment, [], { pane: pane.id, on })
  })
  useResult(actions.saveSegment, ({ name }) => {
    toast(
      say(['已存为分群「{name}」，可在「客户分群」使用', 'Saved as segment “{name}”'], {
        name,
      }),
      'success',
    )
    return true
  })
}
/** What actions on members tell: a phone for some seconds, an adjustment that waits, a job. */
const useTold = (rows: readonly MemberRow[]) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [told, setTold] = useState<Revealed | undefined>(undefined)
  const hide = useCallback(() => setTold(undefined), [])
  useResult(actions.revealPhone, ({ id, phone: value, seconds, left }) => {
    const of = rows.find(one => one.id === id)?.nickname ?? ''
    setTold({ label: ['手机号', 'Phone'], of, value, seconds, left })
    return true
  })
  const waits = ({ waits: isWaiting }: { waits: boolean }): boolean => {
    if (isWaiting)
      toast(
        say([
          '已提交，须另一人在“调整待复核”中通过后生效',
          'Submitted: takes effect once someone else approves it under To confirm',
        ]),
        'success',
      )
    return isWaiting
  }
  useResult(actions.adjustPoints, waits)
  useResult(actions.adjustGrowth, waits)
  const job = ({ job_id }: { job_id: number | null }): boolean => {
    if (job_id !== null)
      toast(
        say([
          '已转为后台任务，进度与逐行结果在右上角“我的任务与导出”',
          'Running in the background: see My jobs and exports, top right',
        ]),
        'success',
      )
    return job_id !== null
  }
  useResult(actions.batchSetTags, job)
  useResult(actions.batchGrantCoupon, job)
  return told && <RevealDialog of={told} close={hide} />
}

/** Members: finds one person or a segment, and helps, rewards or restricts them. */
export default function MembersPage() {
  const say = useSay()
  const list = useList(calls.lst)
  const tags = useRead(calls.tags, { page: 1, pageSize: 200 }).data?.list ?? []
  useExport(actions.export, calls.export, { list })
  const told = useTold(list.rows)
  useKept(list)
  const tabs = useCountedTabs('quick', calls.lst, memberTabs)
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['会员列表', 'Members'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword
                of={list}
                placeholder={say(['手机号、会员号或昵称开头', 'Phone, number or nickname'])}
              />
              <CityFilter of={list} />
              <Choice of={list} by="level" label={say(['等级', 'Level'])} words={levels} />
              <Choice
                of={list}
                by="points"
                label={say(['积分', 'Points'])}
                words={wordsOf(pointsBands)}
              />
              <Choice
                of={list}
                by="growth"
                label={say(['成长值', 'Growth'])}
                words={wordsOf(growthBands)}
              />
              <Choice of={list} by="vip" label={say(['付费会员', 'Paid'])} words={vipBands} />
              <Choice
                of={list}
                by="ordered"
                label={say(['最近下单', 'Last order'])}
                words={wordsOf(agoBands)}
              />
              <Choice
                of={list}
                by="visited"
                label={say(['最近访问', 'Last visit'])}
                words={wordsOf(agoBands)}
              />
              <Choice
                of={list}
                by="tag_id"
                label={say(['标签', 'Tag'])}
                options={tags.map(tag => ({ value: tag.id, label: tag.name }))}
              />
              <Choice
                of={list}
                by="account_state"
                label={say(['账号状态', 'Account'])}
                words={accountStates}
              />
              <Choice
                of={list}
                by="register_source"
                label={say(['注册来源', 'Source'])}
                words={registerSources}
              />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一位会员', 'Choose a member'])}>
          {row => <MemberDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {told}
    </>
  )
}
