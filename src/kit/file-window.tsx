import { Button, ProgressBar } from '@blueprintjs/core'
import { Document } from '@blueprintjs/icons'
import { useRef, useState, type ReactNode } from 'react'
import { semicolon } from '#src/domain/text.ts'
import { base64Of } from './base64.ts'
import { refusedBy } from './refused.ts'
import { Keys } from './show.tsx'
import { useSay } from './text.ts'
import { Window } from './window.tsx'

type Props = {
  title: string
  /** What the file is called to a screen reader. */ label: string
  accept: string
  /** Sends the file's base64; what it is refused for is told, and the window stays. */
  send: (file: string) => Promise<unknown>
  close: () => void
  /** What a file must be, and what comes of it. */ children: ReactNode
}
/** A window that asks for one file and sends it; it closes when the server has taken it. */
export const FileWindow = ({ title, label, accept, send, close, children }: Props) => {
  const say = useSay()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined) => {
    if (!file || busy) return
    setFault('')
    setBusy(true)
    try {
      await send(await base64Of(file))
      close()
    } catch (error) {
      const { message, fields } = await refusedBy(error, {})
      setFault(message ?? Object.values(fields ?? {}).join(say(semicolon)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Window
      title={title}
      close={close}
      width={560}
      stage={`${busy} ${fault}`}
      actions={
        <Button
          data-autofocus
          intent="primary"
          icon={<Document />}
          loading={busy}
          onClick={() => input.current?.click()}
        >
          {say(['选择文件', 'Choose a file'])}
          <Keys keys="↵" />
        </Button>
      }
    >
      {children}
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={event => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          void take(file)
        }}
      />
      {busy && <ProgressBar intent="primary" />}
      {fault && (
        <div className="m-error" role="alert">
          {fault}
        </div>
      )}
    </Window>
  )
}
