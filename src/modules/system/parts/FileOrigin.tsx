import { Button, Dialog, DialogBody, FileInput } from '@blueprintjs/core'
import { useState } from 'react'
import { readMark, readMarkWord, type FoundMark } from '#src/areas/export/fileMark.ts'
import type { Result } from '#src/contract/call.ts'
import { timeFull } from '#src/domain/time.ts'
import { skipToken, useRead, type ReadState } from '#src/kit/data.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Fact, Facts } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { exportLogs as calls } from '../contract/exportLogs.ts'

/** The first rows of a table are enough; a workbook's properties are a file in it. */
const READ_BYTES = 2 * 1024 * 1024
const markIn = async (file: File): Promise<FoundMark | undefined> => {
  const bytes = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b)
    return readMark(await file.slice(0, READ_BYTES).text())
  const { unzip, strFromU8 } = await import('fflate')
  const all = new Uint8Array(await file.arrayBuffer())
  return new Promise(found =>
    unzip(all, { filter: one => one.name === 'docProps/core.xml' }, (error, parts) =>
      found(
        error || !parts['docProps/core.xml']
          ? undefined
          : readMarkWord(strFromU8(parts['docProps/core.xml'])),
      ),
    ),
  )
}
/** The export whose mark a file carries, or that it carries none that is known. */
const MarkedExport = ({
  mark,
  asked,
  open,
}: {
  mark: FoundMark | undefined
  asked: ReadState<Result<typeof calls.verify>>
  open: (id: number) => void
}) => {
  const say = useSay()
  if (!mark)
    return (
      <p>
        {say([
          '这个工作簿没有导出标记，不是从这里导出的，或标记已被去掉。',
          'This workbook has no mark: it is not from here, or the mark was taken out.',
        ])}
      </p>
    )
  if (asked.error) return <Failed error={asked.error} retry={asked.refetch} />
  if (!asked.data) return <Loading lines={3} />
  const { found } = asked.data
  if (!found)
    return (
      <p>
        {say([
          '没有对上任何导出：不是从这里导出的、用表格软件重存过，或不在你可见的范围。',
          'It fits no export: not from here, saved anew by a spreadsheet, or beyond what you may see.',
        ])}
      </p>
    )
  return (
    <>
      <Facts>
        <Fact label={say(['导出人', 'Person'])}>{found.admin_name}</Fact>
        <Fact label={say(['时间', 'Time'])}>{timeFull(found.created_at)}</Fact>
        <Fact label={say(['页面', 'Page'])}>{found.title}</Fact>
        <Fact label={say(['行数', 'Rows'])}>{found.rows_done}</Fact>
        <Fact label={say(['下载', 'Downloads'])}>{found.downloads}</Fact>
        <Fact label={say(['编号', 'No.'])}>{String(found.id)}</Fact>
        <Fact label={say(['条件', 'Filters'])} wide>
          {found.filters_text || '—'}
        </Fact>
      </Facts>
      <Button style={{ marginTop: 8 }} onClick={() => open(found.id)}>
        {say(['查看导出条件', 'View the filters'])}
      </Button>
    </>
  )
}
/**
 * Tells of a file that turned up who exported it, when and of what. The file itself stays here:
 * only its mark is asked about.
 */
export const FileOrigin = ({ close, open }: { close: () => void; open: (id: number) => void }) => {
  useReturnFocus()
  const say = useSay()
  const [read, setRead] = useState<{ name: string; mark: FoundMark | undefined } | undefined>(
    undefined,
  )
  const mark = read?.mark
  const asked = useRead(calls.verify, mark ? { mark: mark.mark, known: mark.known } : skipToken)
  return (
    <Dialog isOpen onClose={close} title={say(['核对文件来源', 'Where a file comes from'])}>
      <DialogBody>
        <p className="m-muted">
          {say([
            '选择外面见到的导出文件（CSV 或 XLSX，部分行也可以），看是谁导出的。文件不会上传。',
            'Choose an export that turned up somewhere (CSV or XLSX, some of its rows will do) to see whose it is. The file is not uploaded.',
          ])}
        </p>
        <FileInput
          fill
          hasSelection={read !== undefined}
          text={read?.name ?? say(['选择文件', 'Choose a file'])}
          buttonText={say(['浏览', 'Browse'])}
          inputProps={{
            autoFocus: true,
            accept: '.csv,.txt,.xlsx',
            'aria-label': say(['要核对的文件', 'The file']),
          }}
          onInputChange={event => {
            const [file] = event.currentTarget.files ?? []
            if (file)
              void markIn(file).then(
                one => setRead({ name: file.name, mark: one }),
                () => setRead({ name: file.name, mark: undefined }),
              )
          }}
        />
        <div role="status" style={{ marginTop: 12 }}>
          {read && <MarkedExport mark={mark} asked={asked} open={open} />}
        </div>
      </DialogBody>
    </Dialog>
  )
}
