import { z } from 'zod'
import { read } from './call.ts'

/**
 * What a file is sent with, a picture unless said otherwise: the token for the form's field
 * `token`, where to send it, and the address under which it is seen (specification, section 7).
 */
export const uploadToken = read('/api/api/getQiniuToKenAndDomainI', ['上传凭证', 'Upload token'], {
  input: z.object({ of: z.enum(['picture', 'video', 'file']).default('picture') }),
  output: z.object({ token: z.string(), domain: z.string(), upload_url: z.string() }),
  touches: [],
  scope: { none: 'A token to upload with' },
  permit: 'signed-in',
})
