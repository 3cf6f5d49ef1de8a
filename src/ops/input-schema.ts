import * as z from 'zod';
import { normalise, problemWith, type Param, type Params } from '../core/params.ts';

/** Returns the zod schema of a table of parameters, from which input checks with messages and every JSON Schema are
 * made. This module is loaded only if one of those is needed; for a well-formed call, `checkInput` reads the same
 * table. */
export function inputSchema(params: Params): z.ZodObject {
  return z.strictObject(Object.fromEntries(Object.entries(params).map(([name, param]) => [name, fieldSchema(param)])));
}

function fieldSchema(param: Param): z.ZodType {
  const described = valueSchema(param).describe(param.description);
  if ('default' in param && param.default !== undefined) return described.default(param.default);
  return param.required ? described : described.optional();
}

function valueSchema(param: Param): z.ZodType {
  const error = (issue: { readonly input?: unknown }): string =>
    issue.input === undefined ? 'is required' : (problemWith(param, issue.input) ?? 'is not valid');
  switch (param.kind) {
    case 'int':
      return z.int({ error }).min(param.min, { error }).max(param.max, { error });
    case 'number':
      return z.number({ error }).min(param.min, { error }).max(param.max, { error });
    case 'int-pair': {
      const part = z.int({ error }).min(param.min, { error }).max(param.max, { error });
      return z.array(part, { error }).length(2, { error }); // many readers of schemas do not support a tuple's prefixItems
    }
    case 'choice':
      return z.enum(param.choices, { error });
    case 'flag':
      return z.boolean({ error });
    case 'texts':
      return checked(z.array(z.string({ error }), { error }).min(1, { error }), param).meta(
        param.choices === undefined ? {} : { items: { type: 'string', enum: param.choices } },
      );
    case 'text':
      return checked(z.string({ error }), param).meta({
        minLength: 1,
        ...(param.maxChars < Number.MAX_SAFE_INTEGER && { maxLength: param.maxChars }),
      });
  }
}

/** Adds normalisation and the rules that zod cannot express. */
function checked(schema: z.ZodType, param: Param): z.ZodType {
  return schema
    .superRefine((value, context) => {
      const problem = problemWith(param, value);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem, input: value });
    })
    .overwrite((value) => (problemWith(param, value) === undefined ? normalise(param, value) : value));
}
