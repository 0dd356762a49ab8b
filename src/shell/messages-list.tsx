import { Button, SegmentedControl } from '@blueprintjs/core'
import { InfoSign, Issue } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'
import { myExports, myMessages } from '#commands/shell.ts'
import { isPressing } from '#src/areas/message/message.ts'
import { useRead, useWrite } from '#src/kit/data.ts'
import { When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { messages as calls, type MessageRow } from '#src/modules/message/contract.ts'
import { useDesk } from './desk.ts'
import { stepByButton } from './step.ts'

const SHOWN = 50
const Row = ({ of, open }: { of: MessageRow; open: () => void }) => {
  const say = useSay()
  const Sign = isPressing(of.kind) ? Issue : InfoSign
  return (
    <li data-unread={of.read_at === null || undefined}>
      <button type="button" data-message={of.id} onClick={open}>
        <Sign size={14} aria-hidden className={isPressing(of.kind) ? 'm-bad' : 'm-muted'} />
        <span>
          {of.read_at === null && <span className="m-sr">{say(['未读：', 'Unread: '])}</span>}
          {of.title}
        </span>
        <span className="m-muted m-num">
          <When at={of.created_at} />
        </span>
      </button>
    </li>
  )
}

/** The messages as they are read, and what can be done with them. */
const useMessages = (onlyUnread: boolean, close: () => void) => {
  const desk = useDesk()
  const read = useRead(calls.mine, {
    page: 1,
    pageSize: SHOWN,
    ...(onlyUnread ? { unread: true } : {}),
  })
  const [markRead] = useWrite(calls.markRead)
  const [markAllRead] = useWrite(calls.markAllRead)
  const section = useRef<HTMLElement>(null)
  const list = read.data?.list
  // The keyboard begins at the newest, and stays in here when one of the unread ones is gone.
  useEffect(() => {
    if (list && !section.current?.contains(document.activeElement))
      (section.current?.querySelector<HTMLElement>('li button') ?? section.current)?.focus()
  }, [list])
  const told = () => {
    /* the refusal was told */
  }
  const mark = (one: MessageRow | undefined) => {
    if (one?.read_at === null) void markRead({ ids: [one.id] }).catch(told)
  }
  const open = (one: MessageRow) => {
    mark(one)
    close()
    // The popover gives the focus back first; the place takes it then.
    setTimeout(() => {
      if (one.address === '') desk.perform({ action: myExports, rows: [] })
      else desk.visit(one.address)
    })
  }
  const all = () => {
    const newest = list?.[0]
    if (newest) void markAllRead({ until: newest.id }).catch(told)
  }
  return { section, read, list, mark, open, all }
}

/**
 * What the person was told, the newest first: J and K go along, Enter opens the place and marks it
 * as read, M marks alone, Shift+M all.
 */
export const MessageList = ({ close }: { close: () => void }) => {
  const say = useSay()
  const now = useLang()
  const [onlyUnread, setOnlyUnread] = useState(false)
  const { section, read, list, mark, open, all } = useMessages(onlyUnread, close)
  return (
    <section
      ref={section}
      tabIndex={-1}
      className="s-exports s-messages"
      aria-label={titleIn(myMessages, now)}
      onKeyDown={event => {
        if (event.ctrlKey || event.metaKey || event.altKey) return
        if (event.key === 'm') {
          const at = (document.activeElement as HTMLElement | null)?.dataset['message']
          mark(list?.find(one => String(one.id) === at))
        } else if (event.key === 'M') all()
        else return
        event.preventDefault()
      }}
    >
      <header>
        <SegmentedControl
          size="small"
          aria-label={say(['显示', 'Show'])}
          options={[
            { label: say(['全部', 'All']), value: 'all' },
            { label: say(['未读', 'Unread']), value: 'unread' },
          ]}
          value={onlyUnread ? 'unread' : 'all'}
          onValueChange={next => setOnlyUnread(next === 'unread')}
        />
        <span className="s-fill" />
        <Button
          size="small"
          variant="minimal"
          title="Shift M"
          disabled={!list?.some(one => one.read_at === null)}
          onClick={all}
        >
          {say(['全部已读', 'Mark all as read'])}
        </Button>
      </header>
      <Answer
        of={read}
        none={
          onlyUnread
            ? say(['没有未读消息。', 'Nothing is unread.'])
            : say([
                '还没有消息。导出和批量任务的结果、转给你的审核、复核结果、预警和被撤回的修改会在这里通知你。',
                'No messages yet. Exports, jobs, audits passed to you, second decisions, alarms and changes taken back are told of here.',
              ])
        }
      >
        {({ list: rows }) => (
          <ul onKeyDown={stepByButton}>
            {rows.map(one => (
              <Row key={one.id} of={one} open={() => open(one)} />
            ))}
          </ul>
        )}
      </Answer>
    </section>
  )
}
