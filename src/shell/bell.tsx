import { Button } from '@blueprintjs/core'
import { Notifications } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import { myMessages } from '#commands/shell.ts'
import { useRead } from '#src/kit/data.ts'
import { loadable } from '#src/kit/loadable.tsx'
import { Popover } from '#src/kit/popover.tsx'
import { Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { messages as calls } from '#src/modules/message/contract.ts'
import { useDesk } from './desk.ts'

const MessageList = loadable(
  () => import('./messages-list.tsx').then(module => module.MessageList),
  <Loading lines={3} />,
)
const MOST = 99

/** What the person was told and has not read yet, as a count; the messages themselves behind it. */
export const Bell = () => {
  const say = useSay()
  const now = useLang()
  const desk = useDesk()
  const [open, setOpen] = useState(false)
  const unread = useRead(calls.unread, {}).data?.n ?? 0
  useEffect(() => desk.global(myMessages.id, () => setOpen(true)), [desk])
  const title = titleIn(myMessages, now)
  const name =
    unread > 0 ? say(['{title}，{n} 条未读', '{title}, {n} unread'], { title, n: unread }) : title
  return (
    <Popover
      isOpen={open}
      show={setOpen}
      placement="bottom-end"
      content={<MessageList close={() => setOpen(false)} />}
    >
      <Button
        variant="minimal"
        size="small"
        icon={<Notifications />}
        aria-label={name}
        title={`${name} ${desk.keysOf(myMessages.id) ?? ''}`.trim()}
        data-command={myMessages.id}
      >
        {unread > 0 && (
          <span className="s-count s-bell-count">{unread > MOST ? `${MOST}+` : unread}</span>
        )}
      </Button>
    </Popover>
  )
}
