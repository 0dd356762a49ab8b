import { Button, Checkbox, Dialog, DialogBody, HTMLSelect } from '@blueprintjs/core'
import { useMemo, useState } from 'react'
import { useDispatch } from 'react-redux'
import { posterKinds, posterSizes, type PosterKind } from '#src/areas/channelCode/posters.ts'
import type { Text } from '#src/domain/text.ts'
import { dispatchRead, skipToken, useRead } from '#src/kit/data.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { saveAs } from '#src/kit/download.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Keys } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { channelCodes as calls } from '../contract/code.ts'
import type { joinCodes } from '../contract/customerGroup.ts'
import './channel.css'

const sizes = [300, 600, 1024, 2048] as const
const loaded = (source: string): Promise<HTMLImageElement> =>
  new Promise((done, failed) => {
    const image = new Image()
    image.addEventListener('load', () => done(image))
    image.addEventListener('error', () => failed(new Error('The picture can’t be read')))
    image.src = source
  })
const blobOf = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((done, failed) =>
    canvas.toBlob(blob => (blob ? done(blob) : failed(new Error('The picture can’t be written')))),
  )
const FONT = '"PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif'
/** A code as a picture; a sign in its middle is small enough for it to be read all the same. */
const drawn = async (source: string, sign: string | undefined): Promise<Blob> => {
  const image = await loaded(source)
  const canvas = document.createElement('canvas')
  canvas.width = image.width
  canvas.height = image.height
  const on = canvas.getContext('2d')!
  on.drawImage(image, 0, 0)
  if (sign) {
    const side = Math.round(image.width * 0.18)
    const at = (image.width - side) / 2
    on.fillStyle = '#ffffff'
    on.fillRect(at - side * 0.08, at - side * 0.08, side * 1.16, side * 1.16)
    on.fillStyle = '#1f6b4f'
    on.fillRect(at, at, side, side)
    on.fillStyle = '#ffffff'
    on.font = `600 ${Math.round(side * 0.62)}px ${FONT}`
    on.textAlign = 'center'
    on.textBaseline = 'middle'
    on.fillText(sign, image.width / 2, image.width / 2 + side * 0.04)
  }
  return blobOf(canvas)
}
const fileName = (name: string, id: number): string =>
  `${name.replace(/[\\/:*?"<>|]/g, ' ').trim()} ${id}.png`
/** Several pictures are one file. */
const packed = async (files: readonly { name: string; blob: Blob }[]): Promise<Blob> => {
  const { zip } = await import('fflate')
  const parts: Record<string, Uint8Array> = {}
  for (const { name, blob } of files) parts[name] = new Uint8Array(await blob.arrayBuffer())
  return new Promise((done, failed) =>
    zip(parts, { level: 0 }, (error, bytes) =>
      error ? failed(error) : done(new Blob([bytes as BlobPart], { type: 'application/zip' })),
    ),
  )
}
type Pictures = typeof calls.pictures | typeof joinCodes.pictures
/** Pictures of the codes with these ids, by their ids; a hundred at most. */
export const useCodePictures = (
  read: Pictures,
  ids: readonly number[],
): ReadonlyMap<number, string> => {
  const { data } = useRead(
    read,
    ids.length > 0 ? { ids: ids.slice(0, 100), origin: location.origin } : skipToken,
  )
  return useMemo(() => new Map(data?.list.map(one => [one.id, one.image])), [data])
}
/** The picture of a code in front of its row. */
export const pictureColumn = <R extends { id: number }>(
  pictures: ReadonlyMap<number, string>,
): Column<R> => ({
  key: 'qr',
  title: ['码', 'QR'],
  width: 36,
  priority: 4,
  cell: row =>
    pictures.has(row.id) ? (
      <img className="ch-code ch-thumb" alt="" src={pictures.get(row.id)} />
    ) : (
      '—'
    ),
  words: () => '',
})
type DownloadProps = {
  rows: readonly { id: number; name: string }[]
  close: () => void
  /** The read that draws them: those of live codes unless said otherwise. */
  read?: Pictures
  title?: Text
}
type How = { size: number; signed: boolean }
/** Draws codes and gives them to the person; says how many there were. */
const useDownload = (rows: DownloadProps['rows'], read: Pictures, title: Text) => {
  const say = useSay()
  const dispatch = useDispatch()
  return async ({ size, signed }: How): Promise<number> => {
    const asked = {
      ids: rows.map(row => row.id),
      origin: location.origin,
      size,
      format: 'png' as const,
    }
    const { list } = await dispatchRead(dispatch as never, read, asked)
    const files = []
    for (const { id, name, image } of list)
      files.push({
        name: fileName(name, id),
        blob: await drawn(image, signed ? [...name][0] : undefined),
      })
    const [first] = files
    if (files.length === 1) saveAs(first!.name, first!.blob)
    else if (first) saveAs(`${say(title)}.zip`, await packed(files))
    return files.length
  }
}
/** Asks how large, and whether with a sign, and gives the codes as pictures. */
export const DownloadCodes = ({
  rows,
  close,
  read = calls.pictures,
  title: packed = ['渠道活码', 'Channel codes'],
}: DownloadProps) => {
  useReturnFocus()
  const say = useSay()
  const { toast } = useWorkbench()
  const give = useDownload(rows, read, packed)
  const [size, setSize] = useState<number>(600)
  const [signed, setSigned] = useState(false)
  const [busy, setBusy] = useState(false)
  const go = () => {
    setBusy(true)
    give({ size, signed }).then(
      n => {
        toast(say(['已下载 {n} 个二维码', '{n} codes downloaded'], { n }), 'success')
        close()
      },
      () => {
        setBusy(false)
        toast(say(['下载失败，请重试', 'It failed, try again']), 'danger')
      },
    )
  }
  const title = say(['下载二维码', 'Download QR codes'])
  return (
    <Dialog isOpen title={title} aria-label={title} onClose={close} style={{ width: 380 }}>
      <form
        onSubmit={event => {
          event.preventDefault()
          go()
        }}
      >
        <DialogBody>
          <div className="ch-ask">
            <span>
              {say(['共 {n} 个，扫码进入落地页并计入扫码数', '{n} codes; every scan is counted'], {
                n: rows.length,
              })}
            </span>
            <label>
              {say(['边长（像素）', 'Width (px)'])}{' '}
              <HTMLSelect
                autoFocus
                value={size}
                onChange={event => setSize(Number(event.target.value))}
                options={sizes.map(one => ({ value: one, label: String(one) }))}
              />
            </label>
            <Checkbox
              checked={signed}
              label={say(['中间加名称首字', 'First character of the name in the middle'])}
              onChange={() => setSigned(!signed)}
            />
          </div>
        </DialogBody>
        <DialogEnd close={close}>
          <Button type="submit" intent="primary" loading={busy}>
            {say(['下载', 'Download'])}
            <Keys keys="↵" />
          </Button>
        </DialogEnd>
      </form>
    </Dialog>
  )
}
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, sign => `&#${sign.codePointAt(0)!};`)
/** A name on two lines at most, as large as `size` where it fits the room. */
const nameLines = (name: string, room: number, size: number) => {
  const signs = [...name]
  const fit = Math.floor(Math.min(size, (room * 2) / (signs.length + 1)))
  const each = Math.floor(room / fit)
  return { fit, lines: [signs.slice(0, each).join(''), signs.slice(each).join('').trim()] }
}
/** A poster of a code as an SVG: its name, what to do, and the code. */
const posterOf = (kind: PosterKind, name: string, image: string): string => {
  const { width, height, code } = posterSizes[kind]
  const isWide = kind === 'card'
  const x = isWide ? width - code - 60 : (width - code) / 2
  const y = isWide ? (height - code) / 2 : height * 0.34
  const at = isWide ? 60 : width / 2
  const anchor = isWide ? 'start' : 'middle'
  const large = Math.round(width / 18)
  const line = (text: string, top: number, size: number, fill: string) =>
    `<text x="${at}" y="${top}" font-size="${size}" text-anchor="${anchor}" fill="${fill}">${escaped(text)}</text>`
  const room = isWide ? width - code - 160 : width - 120
  const { fit, lines } = nameLines(name, room, large)
  const top = isWide ? height / 2 - large : height * 0.16
  const below = lines[1] ? top + fit * 1.3 : top
  const box = `width="${width}" height="${height}"`
  const about = line(
    '微信扫码，添加专属顾问',
    below + large * 1.8,
    Math.round(large * 0.6),
    '#5f6b7c',
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${box} viewBox="0 0 ${width} ${height}" font-family='${FONT}'>`,
    `<rect ${box} fill="#ffffff"/><rect width="${width}" height="14" fill="#1f6b4f"/>`,
    line(lines[0]!, top, fit, '#1c2127'),
    line(lines[1]!, below, fit, '#1c2127'),
    about,
    `<image href="${image}" x="${x}" y="${y}" width="${code}" height="${code}"/></svg>`,
  ].join('')
}
type PosterProps = { id: number; kind: PosterKind; close: () => void }
/** A code as it is printed, in a layout; to be looked at and taken away. */
export const CodePoster = ({ id, kind, close }: PosterProps) => {
  useReturnFocus()
  const say = useSay()
  const read = useRead(calls.pictures, { ids: [id], origin: location.origin, size: 480 })
  const title = say(posterKinds[kind])
  return (
    <Dialog isOpen title={title} aria-label={title} onClose={close} style={{ width: 560 }}>
      <DialogBody>
        <Answer of={read} none={say(['尚未生成二维码', 'It has no code yet'])}>
          {({ list }) => {
            const [one] = list
            const svg = posterOf(kind, one!.name, one!.image)
            return (
              <div className="ch-poster">
                <img alt={title} src={`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`} />
                <Button
                  autoFocus
                  text={say(['下载 SVG', 'Download SVG'])}
                  onClick={() =>
                    saveAs(`${one!.name} ${title}.svg`, new Blob([svg], { type: 'image/svg+xml' }))
                  }
                />
              </div>
            )
          }}
        </Answer>
      </DialogBody>
    </Dialog>
  )
}
