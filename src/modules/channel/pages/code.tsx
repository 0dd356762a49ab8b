import { useMemo, useState } from 'react'
import { codeActions as actions } from '#commands/channel/code.ts'
import { codeKinds, codeStates, wayStates } from '#src/areas/channelCode/channelCode.ts'
import { aside } from '#src/domain/text.ts'
import { useBatchTold } from '#src/kit/batch-told.tsx'
import {
  moneyColumn,
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  textColumn,
  wordColumn,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Drawer } from '#src/kit/drawer.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useCountedTabs } from '#src/kit/statetabs.ts'
import { useSay, wecomSaid } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { channelCodes as calls, type CodeRow as Row } from '../contract/code.ts'
import { codeLooks, healthLooks, troubles } from '../parts/codeLooks.tsx'
import { DownloadCodes, pictureColumn, useCodePictures } from '../parts/CodePictures.tsx'
import { Replay } from '../parts/Replay.tsx'
import '../parts/channel.css'

const PICKS = 200
const columnsWith = (pictures: ReadonlyMap<number, string>): readonly Column<Row>[] => [
  pictureColumn(pictures),
  { ...textColumn('name', ['名称', 'Name'], 130), grow: true },
  { ...textColumn('group_name', ['分组', 'Group'], 90), priority: 3 },
  stateColumn('status', ['状态', 'State'], 84, codeLooks),
  stateColumn('health', ['健康', 'Health'], 88, healthLooks),
  { ...textColumn('duty', ['当前接待', 'On duty'], 120), priority: 1 },
  { ...textColumn('backups', ['备用', 'Backups'], 84), priority: 4 },
  { ...textColumn('tags', ['自动标签', 'Tags'], 110), priority: 4 },
  { ...textColumn('mall_name', ['商场', 'Mall'], 110), priority: 4 },
  { ...wordColumn('kind', ['类型', 'Kind'], 84, codeKinds), priority: 4 },
  { ...numberColumn('scans_today', ['今日扫码', 'Scans'], 76), priority: 2 },
  { ...numberColumn('adds_today', ['今日新增', 'Adds'], 76), priority: 1 },
  { ...numberColumn('lost_today', ['今日流失', 'Lost'], 76), priority: 2 },
  { ...numberColumn('adds_total', ['累计新增', 'Total adds'], 76), priority: 2 },
  { ...moneyColumn('cost_per_add', ['单个成本', 'Cost per add'], 84), priority: 3 },
]

/** How far WeCom has what was decided, and what it said. */
const Way = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['企微', 'WeCom'])}>
      <Facts>
        <Fact label={say(['二维码', 'QR code'])}>
          <Badge {...(row.way_state === 'failed' && { tone: 'bad' })}>
            {say(wayStates[row.way_state])}
          </Badge>
        </Fact>
        <Fact label={say(['版本', 'Version'])}>{row.rev || '—'}</Fact>
        {row.way_error && (
          <Fact wide label={say(['企微返回', 'WeCom response'])}>
            {wecomSaid(say, { error: row.way_error, errcode: row.way_errcode })}
          </Fact>
        )}
        <Fact label={say(['校验于', 'Checked'])}>
          {row.checking ? say(['校验中', 'Checking']) : <When at={row.synced_at} />}
        </Fact>
        {row.synced_at !== null && (
          <Fact wide label={say(['校验结果', 'Check result'])}>
            {row.way_note || say(['与企微一致', 'Matches WeCom'])}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const What = ({ row, picture }: { row: Row; picture: string | undefined }) => {
  const say = useSay()
  const none = say(['未设置', 'None'])
  return (
    <Section title={say(['活码', 'Code'])}>
      {picture && (
        <img
          className="ch-code ch-big"
          alt={say(['{name} 的二维码', 'QR code of {name}'], { name: row.name })}
          src={picture}
        />
      )}
      <Facts>
        <Fact label={say(['分组', 'Group'])}>{row.group_name || none}</Fact>
        <Fact label={say(['类型', 'Kind'])}>{say(codeKinds[row.kind])}</Fact>
        <Fact wide label={say(['商场 / 门店', 'Mall, store'])}>
          {[row.mall_name, row.store_name].filter(Boolean).join(' · ') || none}
        </Fact>
        <Fact wide label={say(['当前接待', 'On duty'])}>
          {row.duty || none}
        </Fact>
        <Fact wide label={say(['备用成员', 'Backups'])}>
          {row.backups || none}
        </Fact>
        <Fact wide label={say(['自动标签', 'Tags'])}>
          {row.tags || none}
        </Fact>
        <Fact label={say(['累计新增', 'Total adds'])}>{row.adds_total}</Fact>
        <Fact label={say(['单个成本', 'Cost per add'])}>
          {row.cost_per_add === null ? '—' : <Money cents={row.cost_per_add} sign />}
        </Fact>
        <Fact label={say(['开始', 'From'])}>
          <When at={row.start_at} />
        </Fact>
        <Fact label={say(['结束', 'Until'])}>
          {row.end_at === null ? say(['长期有效', 'No end date']) : <When at={row.end_at} />}
        </Fact>
        {row.has_draft && (
          <Fact wide label={say(['草稿', 'Draft'])}>
            {say(['有未发布的修改', 'Unpublished changes'])}
          </Fact>
        )}
        {row.reason && (
          <Fact wide label={say(['归档原因', 'Archive reason'])}>
            {row.reason}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const Side = ({ id }: { id: number }) => {
  const say = useSay()
  return (
    <Answer of={useRead(calls.side, { id })}>
      {of => (
        <>
          <Section title={say(['近 7 天', 'Last 7 days'])}>
            <SmallTable
              head={[
                ['日期', 'Day'],
                ['扫码', 'Scans'],
                ['新增', 'Adds'],
                ['流失', 'Lost'],
              ]}
              rows={of.days.toReversed()}
              keyOf={one => one.day}
              cells={one => [one.day, one.scans, one.adds, one.lost]}
            />
          </Section>
          <Section title={say(['成员今日', 'Members today'])}>
            <SmallTable
              head={[
                ['成员', 'Member'],
                ['本码新增', 'Via this code'],
                ['全部新增', 'All adds'],
                ['状态', 'State'],
              ]}
              rows={of.people}
              keyOf={one => one.userid}
              cells={one => [
                one.name,
                one.taken,
                one.day_cap === null ? one.taken_in_all : `${one.taken_in_all}/${one.day_cap}`,
                one.unable ? (
                  <Badge key="unable" tone="bad">
                    {one.unable}
                  </Badge>
                ) : (
                  say(['可接待', 'Available'])
                ),
              ]}
            />
          </Section>
        </>
      )}
    </Answer>
  )
}
const Trial = ({ row, close }: { row: Row; close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  return (
    <Drawer
      isOpen
      onClose={close}
      size="460px"
      title={say(['模拟扫码 · {name}', 'Simulate a scan · {name}'], { name: row.name })}
    >
      <Answer of={useRead(calls.side, { id: row.id })}>
        {({ body, people }) => <Replay body={body} people={people} />}
      </Answer>
    </Drawer>
  )
}
/** Says of what is on its way to WeCom that it is. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(actions.copy, () => {
    toast(say(['已复制为草稿，编辑后发布', 'Copied as a draft; edit, then publish']), 'success')
    return true
  })
  const told = useBatchTold()
  useResult(actions.batchCreate, of =>
    told.hear(of, [
      [
        '已提交 {n} 个门店活码，企微确认后生效',
        '{n} submitted; they take effect once WeCom confirms',
      ],
      ['已提交 {n} 个，{m} 个门店未创建', '{n} submitted, {m} stores skipped'],
    ]),
  )
  useResult(actions.batchMember, of =>
    told.hear(of, [
      [
        '已提交 {n} 个活码的换人，企微确认后生效',
        '{n} submitted; they take effect once WeCom confirms',
      ],
      ['已提交 {n} 个，{m} 个未更换', '{n} submitted, {m} not'],
    ]),
  )
  useResult(actions.sync, of =>
    told.hear(of, [
      ['已开始校验 {n} 个活码，稍后显示结果', '{n} codes are being compared'],
      ['已开始校验 {n} 个，{m} 个不能校验', '{n} are being compared, {m} can’t be'],
    ]),
  )
  return told.shown
}

/** Channel codes: which are broken, who answers, what they bring. */
export default function CodesPage() {
  const say = useSay()
  const list = useList(calls.lst)
  useExport(actions.export, calls.export, { list })
  const told = useTold()
  const tabs = useCountedTabs('health', calls.lst, troubles)
  const groups = useRead(calls.groups, {})
  const staff = useRead(calls.staff, { page: 1, pageSize: PICKS })
  const tags = useRead(calls.tags, { page: 1, pageSize: PICKS })
  const [trial, setTrial] = useState<Row | undefined>(undefined)
  const [taken, setTaken] = useState<readonly Row[] | undefined>(undefined)
  useAction(actions.test, ([row]) => setTrial(row as Row))
  useAction(actions.download, rows => setTaken(rows as readonly Row[]))
  const pictures = useCodePictures(
    calls.pictures,
    list.rows.filter(row => row.has_way).map(row => row.id),
  )
  const columns = useMemo(() => columnsWith(pictures), [pictures])
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['渠道活码', 'Channel codes'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword of={list} placeholder={say(['活码名称', 'Name'])} />
              <Choice of={list} by="status" label={say(['状态', 'State'])} words={codeStates} />
              <Choice
                of={list}
                by="group"
                label={say(['分组', 'Group'])}
                options={(groups.data?.list ?? []).map(one => ({
                  value: one.name,
                  label: `${one.name}${say(aside, { it: one.n })}`,
                }))}
              />
              <Choice
                of={list}
                by="staff_id"
                label={say(['成员', 'Member'])}
                options={(staff.data?.list ?? []).map(one => ({ value: one.id, label: one.name }))}
              />
              <Choice
                of={list}
                by="tag_id"
                label={say(['标签', 'Tag'])}
                options={(tags.data?.list ?? []).map(one => ({ value: one.id, label: one.name }))}
              />
              <MallFilter of={list} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一个活码', 'Choose a code'])}>
          {row => (
            <Inspector
              key={row.id}
              title={row.name}
              aside={
                <>
                  <State of={row.status} in={codeLooks} />
                  {row.health !== 'ok' && <State of={row.health} in={healthLooks} />}
                </>
              }
            >
              <What row={row} picture={pictures.get(row.id)} />
              <Way row={row} />
              <Side id={row.id} />
            </Inspector>
          )}
        </Chosen>
      </ListDetail>
      {told}
      {trial && <Trial row={trial} close={() => setTrial(undefined)} />}
      {taken && <DownloadCodes rows={taken} close={() => setTaken(undefined)} />}
    </>
  )
}
