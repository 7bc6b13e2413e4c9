import Type from 'typebox'

export const Deleted = Type.Object({ deleted: Type.Literal(true), id: Type.String() })
