import { Document, Video } from '@blueprintjs/icons'
import {
  materialKinds,
  materialStates,
  mediaStates,
  pieceOf,
  type MaterialBody,
  type MaterialState,
  type MediaState,
} from '#src/areas/wecomMaterial/material.ts'
import {
  numberColumn,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  wordColumn,
  type States,
} from '#src/kit/cells.tsx'
import { Chat } from '#src/kit/chat.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Picture, Thumb } from '#src/kit/image.tsx'
import { Badge } from '#src/kit/show.tsx'
import { useSay, wecomSaid } from '#src/kit/text.ts'
import type { MaterialRow } from '../contract/material.ts'
import './material.css'

export const materialLooks: States<MaterialState> = {
  draft: { text: materialStates.draft, tone: 'info' },
  enabled: { text: materialStates.enabled, tone: 'good' },
  disabled: { text: materialStates.disabled },
}
export const mediaLooks: States<MediaState> = {
  none: { text: mediaStates.none },
  absent: { text: mediaStates.absent, tone: 'info' },
  valid: { text: mediaStates.valid, tone: 'good' },
  expired: { text: mediaStates.expired, tone: 'warn' },
  failed: { text: mediaStates.failed, tone: 'bad' },
}
/** The picture that a material has to be known by; undefined for one without any. */
const pictureOf = ({ body }: Pick<MaterialRow, 'body'>): string | undefined =>
  body.kind === 'image' || body.kind === 'miniprogram' ? body.key : undefined
/** How a material looks in the chat, at one of its versions. */
export const MaterialChat = ({ title, body }: { title: string; body: MaterialBody }) => {
  const say = useSay()
  const piece = pieceOf({ title, body })
  return (
    <Chat
      who={say(['李娜', 'Li Na'])}
      text={body.kind === 'text' ? body.text : ''}
      attachments={piece ? [piece] : []}
    />
  )
}
/** What keeps a material from being sent, or will soon. */
export const MaterialMarks = ({ row, now }: { row: MaterialRow; now: number }) => {
  const say = useSay()
  return (
    <>
      {row.valid_to_at !== null && row.valid_to_at <= now && (
        <Badge tone="bad">{say(['已过有效期', 'Expired'])}</Badge>
      )}
      {row.media.state === 'failed' && (
        <Badge tone="bad" title={wecomSaid(say, row.media)}>
          {say(mediaStates.failed)}
        </Badge>
      )}
    </>
  )
}
const Media = ({ row: { media } }: { row: MaterialRow }) => {
  const say = useSay()
  if (media.waiting) return <Badge tone="info">{say(['刷新中', 'Refreshing'])}</Badge>
  if (media.state === 'none') return <span className="m-muted">—</span>
  return <State of={media.state} in={mediaLooks} title={wecomSaid(say, media) || undefined} />
}
/** The share of those who were sent a link of their own that opened it. */
export const clickRate = ({ linked, clickers }: { linked: number; clickers: number }): string =>
  linked === 0 ? '—' : `${((clickers * 100) / linked).toFixed(1)}%`
export const materialColumns: readonly Column<MaterialRow>[] = [
  {
    key: 'title',
    title: ['素材', 'Material'],
    width: 200,
    grow: true,
    cell: row => (
      <>
        <Thumb of={pictureOf(row)} /> {row.title}
      </>
    ),
    words: row => row.title,
  },
  wordColumn('kind', ['类型', 'Kind'], 72, materialKinds),
  { ...textColumn('category', ['分类', 'Category'], 96), priority: 2 },
  stateColumn('status', ['状态', 'State'], 76, materialLooks),
  {
    key: 'media',
    title: ['媒体凭证', 'File in WeCom'],
    width: 88,
    cell: row => <Media row={row} />,
  },
  { ...numberColumn('uses_n', ['使用', 'Used by'], 58) },
  { ...numberColumn('sends', ['发送', 'Sends'], 72), priority: 1 },
  { ...numberColumn('clickers', ['点击', 'Clicked'], 66), priority: 1 },
  { ...numberColumn('orders', ['转化订单', 'Orders'], 74), priority: 1 },
  { ...timeColumn('valid_to_at', ['有效期至', 'Valid until'], 110), priority: 3 },
  { ...textColumn('owner', ['负责人', 'Owner'], 80), priority: 3 },
]
const wordsOf = ({ body, title }: MaterialRow): string => {
  if (body.kind === 'text') return body.text
  return body.kind === 'link' ? body.desc || body.url : title
}
const icons = { video: Video, file: Document } as const
const Look = ({ row }: { row: MaterialRow }) => {
  const picture = pictureOf(row)
  if (picture) return <Picture of={picture} label={row.title} />
  const Icon = row.kind === 'video' || row.kind === 'file' ? icons[row.kind] : undefined
  return Icon ? <Icon size={32} aria-hidden="true" /> : <p>{wordsOf(row)}</p>
}
/** A material by its looks: its picture, or the beginning of what it says. */
export const MaterialTile = ({ row }: { row: MaterialRow }) => {
  const say = useSay()
  return (
    <>
      <div className="cm-tile">
        <Look row={row} />
      </div>
      <b>{row.title}</b>
      <span>
        <Badge>{say(materialKinds[row.kind])}</Badge> <State of={row.status} in={materialLooks} />{' '}
        {row.media.state === 'failed' || row.media.state === 'expired' ? <Media row={row} /> : null}
      </span>
      <span className="m-muted m-num">
        {say(
          [
            '使用 {uses} · 发送 {sends} · 点击 {clicks}',
            'Used {uses} · sent {sends} · clicked {clicks}',
          ],
          {
            uses: row.uses_n,
            sends: row.sends.toLocaleString('en-US'),
            clicks: row.clickers.toLocaleString('en-US'),
          },
        )}
      </span>
    </>
  )
}
