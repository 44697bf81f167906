import * as endpoints from '../endpoints/comments.ts';
import { resource } from '../resource.ts';

export const commitComments = resource({
  readOnly: ['body_text', 'body_html', 'commit_id', 'user', 'author_association', 'reactions'],
  nullable: ['path', 'position', 'line'],
  owners: {
    repository: {
      list: endpoints.listRepositoryComments,
      get: endpoints.getComment,
      create: endpoints.createComment,
      update: endpoints.updateComment,
      delete: endpoints.deleteComment,
    },
  },
});
