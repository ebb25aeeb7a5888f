from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def forget(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take away the scores that episodes that broke off were once stored with."""
    episodes = apps.get_model("runs", "Episode").objects
    episodes.filter(success=None).exclude(partial_score=None).update(partial_score=None)


class Migration(migrations.Migration):
    dependencies = [("runs", "0006_address")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
