import { batchActions } from '#commands/redeemCode/batches.ts'
import { useWrite } from '#src/kit/data.ts'
import { FileWindow } from '#src/kit/file-window.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
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
  const [send] = useWrite(calls.importCodes)
  return (
    <FileWindow
      title={`${titleIn(batchActions.importCodes, lang)} · ${row.name}`}
      label={say(['外部码文件', 'File of codes'])}
      accept=".txt,.csv"
      send={async secret_file =>
        done(await send({ id: row.id, version: row.version, secret_file }, { quiet: true }))
      }
      close={close}
    >
      <p>
        {say(
          [
            '文本文件（.txt 或单列 .csv），每行一个码，4 至 32 位字母与数字；大小写、空格与连字符不计。还可导入 {n} 个。',
            'A text file (.txt or one-column .csv), one code per line, 4 to 32 letters and digits; case, spaces and hyphens are ignored. {n} more can be imported.',
          ],
          { n: (row.quantity - row.generated).toLocaleString() },
        )}
      </p>
      <p className="m-muted">
        {say([
          '任何一个码与本文件或任一批次重复，整个文件都不导入。',
          'If any code repeats in the file or exists in a batch, nothing is imported.',
        ])}
      </p>
    </FileWindow>
  )
}
