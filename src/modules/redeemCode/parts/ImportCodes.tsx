import { Button, ProgressBar } from '@blueprintjs/core'
import { Document } from '@blueprintjs/icons'
import { useRef, useState } from 'react'
import { batchActions } from '#commands/redeemCode/batches.ts'
import { base64Of } from '#src/kit/base64.ts'
import { useWrite } from '#src/kit/data.ts'
import { refusedBy } from '#src/kit/refused.ts'
import { Keys } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { Window } from '#src/kit/window.tsx'
import { codeBatches as calls, type BatchRow } from '../contract/index.ts'

type Props = {
  row: BatchRow
  done: (told: { done: number; job_id: number | null }) => void
  close: () => void
}
/** A file of codes that others made: all of it goes in, or nothing. */
export const ImportCodes = ({ row, done, close }: Props) => {
  const say = useSay()
  const lang = useLang()
  const [send, { isLoading: busy }] = useWrite(calls.importCodes)
  const [fault, setFault] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined) => {
    if (!file || busy) return
    setFault('')
    try {
      const secret_file = await base64Of(file)
      done(await send({ id: row.id, version: row.version, secret_file }, { quiet: true }))
      close()
    } catch (error) {
      const { message, fields } = await refusedBy(error, {})
      setFault(message ?? Object.values(fields ?? {}).join('；'))
    }
  }
  return (
    <Window
      title={`${titleIn(batchActions.importCodes, lang)} · ${row.name}`}
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
      <p>
        {say(
          [
            '文本文件（.txt 或单列 .csv），每行一个码，4 至 32 位字母与数字；大小写、空格与连字符不计。还可导入 {n} 个。',
            'A text file with a code a line, 4 to 32 letters and digits; case, spaces and hyphens don’t count. {n} more fit.',
          ],
          { n: (row.quantity - row.generated).toLocaleString() },
        )}
      </p>
      <p className="m-muted">
        {say([
          '任何一个码与本文件或任一批次重复，整个文件都不导入。',
          'Where one of them is there twice, or in any batch, nothing of the file is imported.',
        ])}
      </p>
      <input
        ref={input}
        type="file"
        hidden
        accept=".txt,.csv"
        aria-label={say(['外部码文件', 'File of codes'])}
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
