import { Chat } from '#src/kit/chat.tsx'
import { Phone } from '#src/kit/phone.tsx'
import { useSay } from '#src/kit/text.ts'
import { Window } from '#src/kit/window.tsx'
import type { MaterialPreview } from '../contract/material.ts'
import './material.css'

/** A material in the chat of a phone, and what would keep it from being sent now. */
export const MaterialPhone = ({ of, close }: { of: MaterialPreview; close: () => void }) => {
  const say = useSay()
  return (
    <Window
      title={say(['企微预览：{title}', 'Preview: {title}'], { title: of.title })}
      close={close}
      width={420}
    >
      {of.problems.map(problem => (
        <p key={problem} className="m-bad" role="alert">
          {say(['暂不能发送：{problem}', 'It can’t be sent now: {problem}'], { problem })}
        </p>
      ))}
      <Phone
        label={say(['聊天预览', 'The chat'])}
        title={
          <>
            {say(['李娜', 'Li Na'])} <span className="m-muted">@{say(['企业微信', 'WeCom'])}</span>
          </>
        }
      >
        <Chat who={say(['李娜', 'Li Na'])} text={of.text} attachments={of.pieces} />
      </Phone>
      <p className="m-muted">{say(['版本 V{n}', 'Version V{n}'], { n: of.n })}</p>
    </Window>
  )
}
