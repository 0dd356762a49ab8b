import { BanCircle as Ban, Disable, Offline, Tick, WarningSign } from '@blueprintjs/icons'
import { useState } from 'react'
import { Link } from 'wouter'
import { hlinkActions } from '#commands/system/content.ts'
import {
  filledPath,
  linkHealths,
  linkTargets,
  linkTypes,
  missingParams,
  paramsLine,
  type LinkHealth,
} from '#src/areas/link/pageLink.ts'
import { switches } from '#src/areas/people/people.ts'
import {
  numberColumn,
  onOff,
  SmallTable,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  wordColumn,
  Words,
  type States,
} from '#src/kit/cells.tsx'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { hlink as calls, type LinkRow } from '../contract/hlink.ts'
import { CodeDialog } from '../parts/CodeDialog.tsx'
import '../parts/content.css'

const healths: States<LinkHealth> = {
  ok: { text: linkHealths.ok, tone: 'good', icon: Tick },
  off_shelf: { text: linkHealths.off_shelf, tone: 'warn', icon: WarningSign },
  dead: { text: linkHealths.dead, tone: 'bad', icon: Disable },
  unknown: { text: linkHealths.unknown, icon: Offline },
}
const Disabled = () => (
  <Badge icon={Ban}>
    <Words of={['已停用', 'Disabled']} />
  </Badge>
)

const Uses = ({ row }: { row: LinkRow }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const may = me.can(calls.whereUsed.permit)
  const uses = useRead(calls.whereUsed, may ? { id: row.id } : skipToken)
  return (
    <Section title={say(['引用位置（{n}）', 'Used in ({n})'], { n: row.used_count })}>
      {may ? (
        <Answer
          of={uses}
          none={say(
            row.status === 'on'
              ? ['没有内容使用这个链接，可以放心停用。', 'Nothing uses it, so it can be disabled.']
              : ['没有内容使用这个链接。', 'Nothing uses it.'],
          )}
        >
          {({ list }) => (
            <SmallTable
              head={[
                ['内容', 'Content'],
                ['位置', 'Place'],
                ['状态', 'State'],
              ]}
              rows={list}
              keyOf={use => `${use.kind}${use.id}`}
              cells={use => [
                <>
                  <Link href={use.path}>{use.kind}</Link> {use.label}
                </>,
                use.place,
                <State key="live" of={use.live ? 'live' : 'not'} in={liveness} />,
              ]}
            />
          )}
        </Answer>
      ) : (
        <p className="m-muted">
          {say(['没有查看引用位置的权限', 'You may not see where it is used'])}
        </p>
      )}
    </Section>
  )
}
const liveness: States<'live' | 'not'> = {
  live: { text: ['在线', 'Live'], tone: 'good' },
  not: { text: ['未在线', 'Not live'] },
}

/** A link in full: what it asks for, and everything that leads through it. */
const LinkDetail = ({ row }: { row: LinkRow }) => {
  const say = useSay()
  const complete = row.params.length > 0 && missingParams(row.params, {}).length === 0
  const asked = (required: boolean) =>
    required ? say(['选用时必填', 'Asked when picked']) : say(['可不填', 'May stay empty'])
  return (
    <Inspector
      title={row.name}
      aside={
        <>
          <State of={row.health} in={healths} />
          {row.status === 'off' && <Disabled />}
        </>
      }
    >
      <Section title={say(['地址', 'Address'])}>
        <Facts>
          <Fact label={say(['类型', 'Type'])}>{say(linkTypes[row.type])}</Fact>
          <Fact label={say(['检测时间', 'Checked'])}>
            <When at={row.checked_at} />
          </Fact>
          <Fact wide label={say(['路径', 'Path'])}>
            <code className="m-anywhere">{row.path}</code>
          </Fact>
          {row.appid && (
            <Fact wide label="AppID">
              <code>{row.appid}</code>
            </Fact>
          )}
          {complete && (
            <Fact wide label={say(['完整地址', 'In full'])}>
              <code className="m-anywhere">{filledPath(row.path, row.params, {})}</code>
            </Fact>
          )}
        </Facts>
        {row.params.length > 0 && (
          <SmallTable
            head={[
              ['参数', 'Parameter'],
              ['说明', 'Label'],
              ['对象', 'Target'],
              ['取值', 'Value'],
            ]}
            rows={row.params}
            keyOf={param => param.key}
            cells={param => [
              <code key="name">{param.key}</code>,
              param.label,
              say(linkTargets[param.target]),
              param.value ?? asked(param.required),
            ]}
          />
        )}
      </Section>
      <Uses row={row} />
    </Inspector>
  )
}

const columns: readonly Column<LinkRow>[] = [
  { ...textColumn('name', ['名称', 'Name'], 150), grow: true },
  wordColumn('type', ['类型', 'Type'], 144, linkTypes),
  { ...textColumn('path', ['路径', 'Path'], 160, path => <code>{path}</code>), grow: true },
  {
    key: 'params',
    title: ['参数', 'Parameters'],
    width: 88,
    cell: row => paramsLine(row.params, ' ') || <span className="m-muted">—</span>,
    words: row => paramsLine(row.params, ' '),
  },
  {
    ...numberColumn('used_count', ['引用', 'Used'], 52),
    cell: row => row.used_count || <span className="m-muted">0</span>,
  },
  {
    ...stateColumn('health', ['检测', 'Health'], 112, healths),
    cell: row => (row.status === 'off' ? <Disabled /> : <State of={row.health} in={healths} />),
  },
  { ...stateColumn('status', ['状态', 'State'], 76, onOff), optional: true },
  { ...numberColumn('live_count', ['在线引用', 'Live uses'], 84), optional: true },
  { ...timeColumn('checked_at', ['检测时间', 'Checked'], 110), optional: true },
  { ...numberColumn('id', ['编号', 'ID'], 64), optional: true },
]

/** The library of jump targets: what each is, whether it still leads somewhere, and who uses it. */
export default function PageLinks() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const [code, setCode] = useState<LinkRow | undefined>(undefined)
  useExport(hlinkActions.export, calls.export, { list })
  useAction(hlinkActions.getMpImg, rows => setCode(rows[0]))
  useAction(hlinkActions.whereUsed, rows => list.focus(rows[0]?.id))
  useResult(hlinkActions.check, ({ health, note }) => {
    const unknown = health === 'unknown' ? 'none' : 'warning'
    toast(note, health === 'ok' ? 'success' : unknown)
  })
  useResult(hlinkActions.batchCheck, ({ ok, dead, off_shelf: off }) =>
    toast(
      say(['检测 {n} 个：失效 {dead}，下架 {off}', '{n} checked: {dead} dead, {off} off shelf'], {
        n: ok.length,
        dead,
        off,
      }),
      dead + off > 0 ? 'warning' : 'success',
    ),
  )
  useResult(hlinkActions.replace, ({ replaced: n }) =>
    toast(say(['已替换 {n} 处引用', '{n} uses replaced'], { n }), 'success'),
  )
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['页面链接', 'Page links'])}
          columns={columns}
          actions={Object.values(hlinkActions)}
          filters={
            <>
              <Keyword of={list} placeholder={say(['名称、路径或编号', 'Name, path or ID'])} />
              <Choice of={list} by="type" label={say(['类型', 'Type'])} words={linkTypes} />
              <Choice
                of={list}
                by="health"
                label={say(['检测结果', 'Health'])}
                words={linkHealths}
              />
              <Choice of={list} by="status" label={say(['状态', 'State'])} words={switches} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一个链接', 'Choose a link'])}>
          {row => <LinkDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {code && (
        <CodeDialog
          title={code.name}
          path={filledPath(code.path, code.params, {})}
          close={() => setCode(undefined)}
        />
      )}
    </>
  )
}
