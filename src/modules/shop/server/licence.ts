import { isUploaded } from '#src/areas/merchant/eCategories.server.ts'
import { readLicence, type LicenceReading } from '#src/areas/merchant/licence.ts'
import { say, type Text } from '#src/domain/text.ts'
import type { ReadContext } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { parseFile } from '#src/server/files/parsing.ts'

/** A key that leads below the store of pictures, wherever that is. */
const keyForm = /^\w[\w-]*(?:\/\w[\w.-]*){1,8}$/
const none: Text = ['没有营业执照照片', 'There is no picture of the licence']
const gone: Text = ['图片已不存在，请重新上传', 'The picture is gone: upload it again']

/** The picture of a key, upright and grey; or why there is none, in the reader's language. */
const scanOf = async (
  { db, install, staff }: ReadContext,
  image: string,
): Promise<{ data: Uint8Array<ArrayBuffer> } | { fault: string }> => {
  const isKnown = keyForm.test(image) && (install.storesElsewhere || (await isUploaded(db, image)))
  const file = isKnown ? await install.picture(image).catch(() => undefined) : undefined
  if (!file) return { fault: say(image === '' ? none : gone, staff.lang) }
  const scan = await parseFile('scan', { file }).catch((error: unknown) => {
    if (error instanceof Refusal) return { fault: [error.text, error.values] as const }
    throw error
  })
  if (!('fault' in scan)) return scan
  const [text, values] = scan.fault
  return { fault: say(text, staff.lang, values) }
}
/** What a picture of a licence says, as a suggestion; `fault` says why nothing was read. */
export const readPicture = async (
  context: ReadContext,
  image: string,
): Promise<LicenceReading & { fault: string }> => {
  const scan = await scanOf(context, image)
  if ('fault' in scan) return { fault: scan.fault, values: {}, checked: [] }
  const answer = await context.install.licence.read(scan.data)
  return answer.ok
    ? { fault: '', ...readLicence(answer.lines) }
    : { fault: say(answer.text, context.staff.lang), values: {}, checked: [] }
}
