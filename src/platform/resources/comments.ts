import {
  createComment,
  deleteComment,
  getComment,
  listRepositoryComments,
  updateComment,
} from '../endpoints/comments.ts';
import { resource } from '../resource.ts';

export const commitComments = resource({
  readOnly: ['body_text', 'body_html', 'commit_id', 'user', 'author_association', 'reactions'],
  nullable: ['path', 'position', 'line'],
  owners: {
    repository: {
      list: listRepositoryComments,
      get: getComment,
      create: createComment,
      update: updateComment,
      delete: deleteComment,
    },
  },
});
