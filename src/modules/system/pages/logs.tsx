import { Tag } from '@blueprintjs/core'
import { useMemo, useState } from 'react'
import { logs as page } from '#commands/pages/system.ts'
import { logsActions as actions } from '#commands/system/logs.ts'
import { logResults, LOG_DAYS } from '#src/areas/log/logs.ts'
import type { Result } from '#src/contract/call.ts'
import { aside } from '#src/domain/text.ts'
import { AmongOptions } from '#src/kit/among.tsx'
import { useRead } from '#src/kit/data.ts'
import { useDetailAction } from '#src/kit/detail.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Period } from '#src/kit/period.tsx'
import { useRested } from '#src/kit/rested.ts'
import { When } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { logs, type LogRow } from '../contract/logs.ts'
import { Difference, ObjectHistory, ResultBadge, Who } from '../parts/Differences.tsx'
import { useLogList } from '../parts/logList.ts'
import { VerifyLog } from '../parts/VerifyLog.tsx'

const columns: readonly Column<LogRow>[] = [
  { key: 'at', title: ['时间', 'Time'], width: 96, cell: row => <When at={row.created_at} /> },
  {
    key: 'who',
    title: ['操作人', 'Person'],
    width: 164,
    cell: row => <Who row={row} />,
    words: row => row.admin_name,
  },
  {
    key: 'action',
    title: ['操作', 'Action'],
    width: 150,
    cell: row => row.action_title,
    words: row => row.action_title,
  },
  {
    key: 'object',
    title: ['对象', 'Object'],
    width: 126,
    grow: true,
    cell: row =>
      row.object_type === 'batch' ? (
        <span className="m-muted">{row.object_label}</span>
      ) : (
        <>
          <span className="m-muted">{row.object_title}</span>{' '}
          {row.object_label || (row.object_id === null ? '' : `#${row.object_id}`)}
        </>
      ),
    words: row => `${row.object_title} ${row.object_id ?? ''} ${row.object_label}`,
  },
  {
    key: 'summary',
    title: ['改动', 'Changes'],
    width: 150,
    grow: true,
    cell: row => (row.error ? <span className="m-bad">{row.error}</span> : row.summary),
    words: row => row.error ?? row.summary,
  },
  {
    key: 'result',
    title: ['结果', 'Result'],
    width: 84,
    cell: row => <ResultBadge result={row.result} title={row.error ?? undefined} />,
  },
  { key: 'ip', title: ['IP', 'IP'], width: 110, cell: row => row.ip ?? '—', optional: true },
  {
    key: 'module',
    title: ['模块', 'Module'],
    width: 90,
    cell: row => row.module_title,
    optional: true,
  },
  {
    key: 'reason',
    title: ['原因', 'Reason'],
    width: 140,
    cell: row => row.reason ?? '—',
    words: row => row.reason ?? '',
    optional: true,
  },
  {
    key: 'trace',
    title: ['追踪号', 'Trace'],
    width: 120,
    cell: row => row.trace_id ?? '—',
    words: row => row.trace_id ?? '',
    optional: true,
  },
]

const LogFilters = ({
  list,
  choices,
}: {
  list: ListState<LogRow>
  choices: Result<typeof logs.choices> | undefined
}) => {
  const say = useSay()
  const { module, object_type, object_id, field, batch_id } = list.input
  const kinds = choices?.objects ?? []
  const kind = kinds.find(one => one.key === object_type)
  const options = (of: readonly { key: string; title: string }[]) =>
    of.map(one => ({ value: one.key, label: one.title }))
  const offered = useMemo(
    () =>
      (choices?.actions ?? [])
        .filter(one => !module || one.module === module)
        .map(({ key, title, latin }) => ({ value: key, label: title, latin })),
    [choices, module],
  )
  const only = [
    ...(object_id
      ? [{ by: 'object_id', text: `${kind?.title ?? object_type ?? ''} #${object_id}` }]
      : []),
    ...(batch_id
      ? [{ by: 'batch_id', text: say(['批次 #{n}', 'Batch #{n}'], { n: batch_id }) }]
      : []),
  ]
  const people = (choices?.people ?? []).map(one => ({
    value: one.id,
    label:
      one.status === 'active'
        ? one.name
        : `${one.name}${say(aside, { it: say(one.status === 'left' ? ['已离职', 'left'] : ['已停用', 'disabled']) })}`,
  }))
  return (
    <>
      <Choice of={list} by="admin_id" label={say(['操作人', 'Person'])} options={people} />
      <Choice
        of={list}
        by="module"
        label={say(['模块', 'Module'])}
        options={options(choices?.modules ?? [])}
      />
      <AmongOptions of={list} by="action" label={say(['操作', 'Action'])} options={offered} />
      <Choice of={list} by="object_type" label={say(['对象', 'Object'])} options={options(kinds)} />
      {object_type && (
        <Keyword of={list} by="object_id" placeholder={say(['对象编号', 'Object ID'])} />
      )}
      {kind && (
        <Choice
          of={list}
          by="field"
          label={say(['改动字段', 'Field changed'])}
          options={options(kind.fields)}
        />
      )}
      {field && !kind && (
        <Tag minimal onRemove={() => list.filter({ field: undefined })}>
          {field}
        </Tag>
      )}
      <Choice
        of={list}
        by="result"
        label={say(['结果', 'Result'])}
        options={Object.entries(logResults).map(([value, text]) => ({
          value,
          label: say(text),
        }))}
      />
      <Keyword of={list} by="trace_id" placeholder={say(['追踪号', 'Trace number'])} />
      <Period of={list} from="from" to="to" most={LOG_DAYS} usual={['近 92 天', 'Last 92 days']} />
      {only.map(one => (
        <Tag
          key={one.by}
          minimal
          intent="primary"
          onRemove={() => list.filter({ [one.by]: undefined, field: undefined })}
        >
          {one.text}
        </Tag>
      ))}
    </>
  )
}

export default function Logs() {
  const say = useSay()
  const now = useLang()
  const { toast } = useWorkbench()
  const list = useList(logs.lst)
  const choices = useRead(logs.choices, {})
  const [whole, setWhole] = usePaneState<{
    at: number
    object_type: string
    object_id: number
    field?: string
  } | null>('whole', null)
  const [verifying, setVerifying] = useState(false)
  const [shown] = useRested(list.focusedRow?.id)
  const { object_type, object_id, field } = list.input
  // An object that the address names is told whole, until a row is opened; else of the row it was
  // asked for: the next row shows its own change again.
  const named =
    object_type && object_id ? { object_type, object_id, ...(field ? { field } : {}) } : null
  const [left, setLeft] = usePaneState('left', '')
  const namedNow = named && left !== JSON.stringify(named) ? named : null
  const history = whole && whole.at === list.focused ? whole : namedNow
  const back = () => {
    setWhole(null)
    setLeft(JSON.stringify(named))
  }
  useLogList(actions.query, actions.export, logs.export, list)
  useDetailAction(actions.diff, ([row]) => {
    if (row) {
      back()
      list.focus(row.id)
    }
  })
  useDetailAction(actions.objectHistory, ([row]: readonly LogRow[]) => {
    if (row?.object_id)
      setWhole({
        at: row.id,
        object_type: row.object_type,
        object_id: row.object_id,
        ...(list.input.field ? { field: list.input.field } : {}),
      })
  })
  useAction(actions.verify, () => setVerifying(true))
  useAction(actions.copyTrace, ([row]: readonly LogRow[]) => {
    if (row?.trace_id)
      navigator.clipboard.writeText(row.trace_id).then(
        () => toast(say(['已复制追踪号', 'The trace number was copied']), 'success'),
        () => toast(row.trace_id!, 'none'),
      )
  })
  const difference =
    shown === undefined ? (
      <Empty title={say(['选择一行查看改动', 'Choose a row to see its changes'])} />
    ) : (
      <Difference key={shown} id={shown} />
    )
  return (
    <>
      <ListDetail label={say(['列表与改动的分隔', 'Between list and differences'])}>
        <List
          of={list}
          label={titleIn(page, now)}
          columns={columns}
          actions={Object.values(actions)}
          onOpen={back}
          filters={<LogFilters list={list} choices={choices.data} />}
          empty={
            <Empty title={say(['没有符合条件的操作', 'No such operation'])}>
              <p>
                {say([
                  '试试放宽时间或字段；更早的改动在“查看对象全部历史”里。',
                  'Try a wider period or no field; older changes are in the history of the object.',
                ])}
              </p>
            </Empty>
          }
        />
        {history ? (
          <ObjectHistory
            key={`${history.object_type}/${history.object_id}/${history.field ?? ''}`}
            object_type={history.object_type}
            object_id={history.object_id}
            field={history.field}
            back={back}
          />
        ) : (
          difference
        )}
      </ListDetail>
      {verifying && <VerifyLog close={() => setVerifying(false)} />}
    </>
  )
}
