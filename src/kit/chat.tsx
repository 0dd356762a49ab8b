import { Document, Video } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { MessagePiece } from '#src/areas/wecomMaterial/piece.ts'
import { imageUrl, Picture } from './image.tsx'
import { useSay } from './text.ts'
import './chat.css'

type Props = {
  /** The name of the one who writes, whose first character is drawn. */
  who: string
  text: string
  attachments: readonly MessagePiece[]
  /** What follows the message, such as the coupon that comes with it. */
  after?: ReactNode
}
const Card = ({ of }: { of: MessagePiece }) => {
  const say = useSay()
  if (of.kind === 'image') return <Picture of={of.key} label={say(['图片', 'Picture'])} />
  if (of.kind === 'link')
    return (
      <>
        <b>{of.title}</b>
        {of.desc && <small>{of.desc}</small>}
        <small className="m-chat-foot">{of.url}</small>
      </>
    )
  if (of.kind === 'video' || of.kind === 'file')
    return (
      <a className="m-chat-file" href={imageUrl(of.key)} target="_blank" rel="noreferrer">
        {of.kind === 'video' ? <Video size={20} /> : <Document size={20} />}
        <b>{of.name}</b>
      </a>
    )
  return (
    <>
      <b>{of.title}</b>
      <Picture of={of.key} label={say(['小程序封面', 'Cover'])} />
      <small className="m-chat-foot">{say(['小程序', 'Mini program'])}</small>
    </>
  )
}
/** A message as its receiver sees it in the chat: the text, and each attachment on its own. */
export const Chat = ({ who, text, attachments, after }: Props) => {
  const say = useSay()
  const face = (
    <span className="m-chat-face" aria-hidden="true">
      {[...who][0] ?? '·'}
    </span>
  )
  return (
    <ol className="m-chat" aria-label={say(['客户看到的消息', 'What the customer sees'])}>
      {text !== '' && (
        <li>
          {face}
          <div className="m-chat-said">
            <p>{text}</p>
          </div>
        </li>
      )}
      {attachments.map((of, at) => (
        <li key={at}>
          {face}
          <div className="m-chat-said">
            <Card of={of} />
          </div>
        </li>
      ))}
      {after && (
        <li>
          {face}
          <div className="m-chat-said">{after}</div>
        </li>
      )}
    </ol>
  )
}
